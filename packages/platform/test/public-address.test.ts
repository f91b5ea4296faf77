import assert from "node:assert/strict";
import { test } from "node:test";
import { isInsideName, kindOfHost } from "../src/net/host-name.ts";
import { isMetadataAddress, isPublicAddress } from "../src/net/public-address.ts";

const inside = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.51.100.10",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "64:ff9b::808:808",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "fc00::1",
  "fd12::1",
  "fe80::1",
  "fe80::1%eth0",
  "2606:4700::1%lo",
  "fec0::1",
  "ff02::1",
  "",
  "localhost",
  "1.2.3",
  "8.8.8.8 ",
];
const outside = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "223.255.255.255"];

test("SC-N7 addresses that are not of the public internet", () => {
  for (const address of inside) assert.equal(isPublicAddress(address), false, address);
});

test("addresses of the public internet", () => {
  for (const address of [...outside, "2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888"])
    assert.ok(isPublicAddress(address), address);
});

test("SC-N5 addresses where a cloud hands out the host's credentials, in every form", () => {
  for (const address of [
    "169.254.169.254",
    "169.254.170.2",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
  ])
    assert.ok(isMetadataAddress(address), address);
  for (const address of ["10.0.0.1", "127.0.0.1", "192.168.1.5", "::1", "fd12::1", "8.8.8.8", "", "localhost"])
    assert.ok(!isMetadataAddress(address), address);
});

test("SC-N6 every spelling of an address counts as one", () => {
  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::1]", "::1", "127.0.0.1."])
    assert.equal(kindOfHost(host), "address", host);
  for (const host of ["git.example", "xn--bcher-kva.example", "a_b.example", "localhost"]) assert.equal(kindOfHost(host), "name", host);
  for (const host of ["", ".", "a..b", "-a.example", "a b", "bücher.example", "a/b", "a@b", "x".repeat(64), `${"abc.".repeat(64)}de`])
    assert.equal(kindOfHost(host), "invalid", host);
});

test("names that only exist inside a network", () => {
  for (const name of ["redis", "LOCALHOST.", "metadata.google.internal", "printer.local"]) assert.ok(isInsideName(name), name);
  for (const name of ["git.example", "internal.example"]) assert.ok(!isInsideName(name), name);
});
