import { deniedMarker, escalationHint } from "../escalation/markers.ts";
import type { BashValue, ForegroundValue } from "./value.ts";

/** The model's text of a bash result, to the byte (tools §4.3). Markers come last, the way the process ended at the very end. */
export function renderBash(value: BashValue, { escalates = false } = {}): string {
  if (value.kind === "background") return `started background job ${value.jobId}`;
  const body = joinStreams(streamText(value.stdout), streamText(value.stderr));
  const markers = markersOf(value, escalates);
  return markers.length === 0 ? body : `${endLine(body)}${markers.join("\n")}`;
}

function joinStreams(stdout: string, stderr: string): string {
  if (stderr === "") return stdout === "" ? "(no output)" : stdout;
  return `${stdout === "" ? "" : endLine(stdout)}[stderr]\n${stderr}`;
}

function streamText({ text, truncated, spillPath }: ForegroundValue["stdout"]): string {
  return truncated ? `${text}\n[output truncated; full output: ${spillPath ?? "(unavailable)"}]` : text;
}

function markersOf({ sandbox, outOfMemory, timedOut, timeoutMs, signal, exitCode }: ForegroundValue, escalates: boolean): string[] {
  const markers: string[] = [];
  if (sandbox?.denied) markers.push(deniedMarker(sandbox.mode));
  if (sandbox?.denied && escalates) markers.push(escalationHint("command"));
  if (outOfMemory) markers.push("[out of memory: the sandbox killed a process at its memory limit]");
  if (timedOut) markers.push(`[timed out after ${timeoutMs}ms]`);
  if (signal !== null) markers.push(`[killed by signal: ${signal}]`);
  else if (exitCode !== null && exitCode !== 0) markers.push(`[exit code: ${exitCode}]`);
  return markers;
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
