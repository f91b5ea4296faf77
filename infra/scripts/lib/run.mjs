import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

/**
 * Runs a program to its end and collects what it wrote.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: object, cwd?: string, limitMs?: number, echo?: boolean, input?: string }} [options] `echo` also shows the output
 * @returns {Promise<{ code: number, output: string, stdout: string }>} `output` has both streams; never rejects for an exit code
 */
export function run(file, args, { env = process.env, cwd, limitMs = 600_000, echo = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, cwd, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"], detached: true });
    const stopOnExit = () => killGroup(child.pid, "SIGKILL");
    process.once("exit", stopOnExit);
    let output = "";
    let stdout = "";
    const take = (chunk, target) => {
      output += chunk;
      if (target === process.stdout) stdout += chunk;
      if (echo) target.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", (chunk) => take(chunk, process.stdout));
    child.stderr.setEncoding("utf8").on("data", (chunk) => take(chunk, process.stderr));
    if (input !== undefined) child.stdin.end(input);
    const timer = setTimeout(() => {
      output += `\n${path.basename(file)} was stopped after ${limitMs / 1000} s.\n`;
      killGroup(child.pid, "SIGKILL");
    }, limitMs);
    child.once("error", (error) => {
      clearTimeout(timer);
      process.off("exit", stopOnExit);
      reject(error);
    });
    // what the program leaves running in its group would outlive this script, and keep its pipes open
    child.once("exit", () => killGroup(child.pid, "SIGKILL"));
    child.once("close", (code) => {
      clearTimeout(timer);
      process.off("exit", stopOnExit);
      resolve({ code: code ?? 1, output, stdout });
    });
  });
}

/** Signals a whole process group; a group that is gone is no error. */
export function killGroup(pid, signal) {
  if (!pid) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** The absolute path of a program, or null. */
export function findProgram(name, extraDirs = ["/usr/sbin", "/sbin"]) {
  for (const dir of [...(process.env.PATH ?? "").split(path.delimiter), ...extraDirs]) {
    if (!dir) continue;
    const file = path.join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}
