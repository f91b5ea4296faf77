const pollMs = 100;

/** Ends a process group: TERM, then KILL when something of it is left after the grace. One escalation, however often it is asked for. */
export class GroupEnd {
  private readonly pid: number;
  private readonly graceMs: number;
  private started = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(pid: number, graceMs: number) {
    this.pid = pid;
    this.graceMs = graceMs;
  }

  start(): void {
    if (this.started) return;
    this.started = true;
    const killAt = performance.now() + this.graceMs;
    this.signal("SIGTERM");
    const look = () => {
      if (!this.signal(0)) return; // the group is gone: its number may be somebody else's soon, so nothing more is sent
      if (performance.now() >= killAt) this.signal("SIGKILL");
      else this.timer = setTimeout(look, Math.min(pollMs, killAt - performance.now()));
    };
    this.timer = setTimeout(look, Math.min(pollMs, this.graceMs));
  }

  killNow(): void {
    clearTimeout(this.timer);
    this.started = true;
    this.signal("SIGKILL");
  }

  private signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.pid, signal);
    } catch {
      return false; // no such group any more
    }
  }
}
