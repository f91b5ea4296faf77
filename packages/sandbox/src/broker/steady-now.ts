/** Epoch milliseconds by a clock that nobody sets: what has a time to live must not end, or stay, because the system's clock jumped. */
export const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());
