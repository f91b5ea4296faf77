import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCloneUrl, parseCloneUrl } from "../src/workspace/clone-url.ts";

const strict = { allowPrivate: false };

describe("SC-N7 addresses to clone from", () => {
  for (const url of [
    "http://8.8.8.8/a.git",
    "ssh://git@8.8.8.8/a.git",
    "git://8.8.8.8/a.git",
    "file:///etc/passwd",
    "ext::sh -c id",
    "git@github.com:a/b.git",
    "https://user:secret@8.8.8.8/a.git",
    "https://token@8.8.8.8/a.git",
    "https://8.8.8.8/",
    "https://8.8.8.8/a.git?x=1",
    "https://8.8.8.8/a.git#x",
    "https://127.0.0.1/a.git",
    "https://2130706433/a.git",
    "https://0x7f.1/a.git",
    "https://0177.0.0.1/a.git",
    "https://127.1/a.git",
    "https://１２７.0.0.1/a.git",
    "https://localhost/a.git",
    "https://10.1.2.3/a.git",
    "https://172.16.0.1/a.git",
    "https://192.168.1.1/a.git",
    "https://100.64.0.1/a.git",
    "https://169.254.169.254/latest/meta-data",
    "https://0.0.0.0/a.git",
    "https://255.255.255.255/a.git",
    "https://224.0.0.1/a.git",
    "https://[::1]/a.git",
    "https://[::]/a.git",
    "https://[::ffff:127.0.0.1]/a.git",
    "https://[::ffff:0:127.0.0.1]/a.git",
    "https://[64:ff9b::7f00:1]/a.git",
    "https://[2002:7f00:1::]/a.git",
    "https://[2001::1]/a.git",
    "https://[fe80::1]/a.git",
    "https://[fd00::1]/a.git",
    "not an address",
    "",
  ])
    test(`refuses ${url || "nothing"}`, async () => {
      await assert.rejects(checkCloneUrl(url, strict), (error: { code: string; message: string }) => {
        assert.equal(error.code, "CLONE_REFUSED");
        assert.ok(!/secret|token@/.test(error.message));
        return true;
      });
    });

  test("takes the name of a host in its canonical form", () => {
    assert.equal(parseCloneUrl(" https://Git.example:443/a/../b.git ", strict).href, "https://git.example/b.git");
    assert.throws(() => parseCloneUrl("https://git.example:8443/a.git", strict), /port \(443\)/);
    assert.throws(() => parseCloneUrl("https://8.8.8.8/a.git", strict), /not from an IP address/);
    assert.throws(() => parseCloneUrl("http://git.example/a.git", strict), /Only https/);
  });

  test("an operator may allow the own network, and still no credentials", async () => {
    assert.equal(await checkCloneUrl("https://127.0.0.1:3000/a.git", { allowPrivate: true }), "https://127.0.0.1:3000/a.git");
    await assert.rejects(checkCloneUrl("http://127.0.0.1:3000/a.git", { allowPrivate: true }), { code: "CLONE_REFUSED" });
    await assert.rejects(checkCloneUrl("https://u:p@127.0.0.1/a.git", { allowPrivate: true }), { code: "CLONE_REFUSED" });
    await assert.rejects(checkCloneUrl("file:///a.git", { allowPrivate: true }), { code: "CLONE_REFUSED" });
  });
});
