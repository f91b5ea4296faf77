import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

export type GitServer = {
  /** `https://localhost:<port>` */
  origin: string;
  /** The authority that signed its certificate. */
  caFile: string;
  /** Paths asked for, in order. */
  asked: string[];
  /** Makes a bare repository `<name>.git` with one commit of what `fill` leaves in a folder. */
  addRepository(name: string, fill: (dir: string) => void): void;
};
type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** A git host on loopback: git's own http backend behind TLS with a certificate that only its own authority vouches for. */
export async function startGitServer(routes: Readonly<Record<string, Route>> = {}): Promise<GitServer> {
  const dir = mkdtempSync(join(tmpdir(), "gantry-git-"));
  const { key, cert, caFile } = makeCertificate(dir);
  const asked: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    asked.push(request.url ?? "");
    const route = Object.entries(routes).find(([path]) => request.url?.startsWith(path))?.[1];
    if (route) route(request, response);
    else httpBackend(dir, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(dir, { recursive: true, force: true });
  });
  return {
    origin: `https://localhost:${(server.address() as { port: number }).port}`,
    caFile,
    asked,
    addRepository(name, fill) {
      const work = join(dir, `${name}-work`);
      mkdirSync(work);
      fill(work);
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-C", work, ...args], { stdio: "pipe" });
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", "first");
      execFileSync("git", ["clone", "-q", "--bare", work, join(dir, `${name}.git`)], { stdio: "pipe" });
    },
  };
}

/** Files of the kinds that a repository can hold. */
export function fillOrdinary(dir: string): void {
  mkdirSync(join(dir, "src"));
  writeFileSync(join(dir, "README.md"), "hello\n");
  writeFileSync(join(dir, ".hidden"), "dot\n");
  writeFileSync(join(dir, "src", "run.sh"), "#!/bin/sh\necho ran\n");
  chmodSync(join(dir, "src", "run.sh"), 0o755);
  symlinkSync("README.md", join(dir, "link"));
}

function httpBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "https://localhost");
  const env = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    GIT_PROTOCOL: (request.headers["git-protocol"] as string | undefined) ?? "",
  };
  const backend = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => {}); // it may end before it has read all
  response.on("close", () => backend.kill());
  let head = Buffer.alloc(0);
  backend.stdout.on("data", function onHead(chunk: Buffer) {
    head = Buffer.concat([head, chunk]);
    const at = head.indexOf("\r\n\r\n");
    if (at < 0) return;
    backend.stdout.off("data", onHead);
    for (const line of head.subarray(0, at).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.write(head.subarray(at + 4));
    backend.stdout.pipe(response);
  });
}

function makeCertificate(dir: string): { key: Buffer; cert: Buffer; caFile: string } {
  const file = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const fresh = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  openssl(...fresh, "-x509", "-subj", "/CN=Test authority", "-keyout", file("ca.key"), "-out", file("ca.pem"));
  openssl(...fresh, "-subj", "/CN=localhost", "-keyout", file("key.pem"), "-out", file("request.pem"));
  writeFileSync(file("names"), "subjectAltName=DNS:localhost\n");
  const signed = ["x509", "-req", "-days", "2", "-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"];
  openssl(...signed, "-in", file("request.pem"), "-extfile", file("names"), "-out", file("cert.pem"));
  return { key: readFileSync(file("key.pem")), cert: readFileSync(file("cert.pem")), caFile: file("ca.pem") };
}
