import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BinaryError, commandOf, probe } from "../src/binary";

const at = { home: "/home/ada", folder: "/src/shop", own: [] };
const kind = (want: BinaryError["kind"]) => (error: unknown) => error instanceof BinaryError && error.kind === want;
const windows = process.platform === "win32";

test("what a path stands for", { skip: windows && "paths are those of Unix" }, () => {
  assert.equal(commandOf("tofumerge", at), "tofumerge");
  assert.equal(commandOf("/opt/bin/tofumerge", at), "/opt/bin/tofumerge");
  assert.equal(commandOf("~/go/bin/tofumerge", at), "/home/ada/go/bin/tofumerge");
  assert.equal(commandOf("${workspaceFolder}/bin/tofumerge", at), "/src/shop/bin/tofumerge");
});

test("without a path, the program of the extension comes first", async () => {
  assert.equal(commandOf("", { ...at, own: ["/nowhere/tofumerge"] }), "tofumerge");
  await withProgram("exit 0", async (program) => {
    assert.equal(commandOf("", { ...at, own: ["/nowhere/tofumerge", program] }), program);
    assert.equal(commandOf("tofumerge", { ...at, own: [program] }), "tofumerge");
    await Promise.resolve();
  });
});

test("a relative path names nothing", () => {
  assert.throws(() => commandOf("bin/tofumerge", at), kind("bad-path"));
  assert.throws(() => commandOf("./tofumerge", at), kind("bad-path"));
});

test("a folder that isn't trusted names nothing", () => {
  assert.throws(() => commandOf("${workspaceFolder}/bin/tofumerge", { ...at, folder: undefined }), kind("bad-path"));
});

/** Writes a program for the shell, and removes it after the test. */
async function withProgram(script: string, body: (path: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "tofumerge-"));
  const path = join(dir, "tofumerge");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  try {
    await body(path);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("a program that isn't there", async () => {
  await assert.rejects(probe("tofumerge-that-nobody-has"), kind("missing"));
  await assert.rejects(probe(join(tmpdir(), "nowhere", "tofumerge")), kind("missing"));
});

test("programs that are there", { skip: windows && "scripts need sh" }, async () => {
  await withProgram('[ "$*" = "help lsp" ]', probe);
  await withProgram('[ "$1" = version ]', (path) => assert.rejects(probe(path), kind("old")));
  await withProgram("exit 3", (path) => assert.rejects(probe(path), kind("broken")));
  await withProgram("exit 0", async (path) => {
    chmodSync(path, 0o644);
    await assert.rejects(probe(path), kind("broken"));
  });
});
