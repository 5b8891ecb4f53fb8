import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { programName } from "../src/binary";
import { archiveOf, checksumIn, download } from "../src/download";

const sum = "a".repeat(64);
const windows = process.platform === "win32";

test("the archive of a system", () => {
  assert.equal(archiveOf("1.2.3", "linux", "x64"), "tofumerge_1.2.3_linux_amd64.tar.gz");
  assert.equal(archiveOf("1.2.3", "win32", "arm64"), "tofumerge_1.2.3_windows_arm64.zip");
  assert.equal(archiveOf("1.2.3", "freebsd", "x64"), undefined);
});

test("the checksum of a file", () => {
  assert.equal(checksumIn(`${sum}  a.zip\n${"b".repeat(64)}  b.zip\n`, "a.zip"), sum);
  assert.equal(checksumIn(`${sum} *a.zip\r\n`, "a.zip"), sum);
  assert.equal(checksumIn(`${sum}  xa.zip\n`, "a.zip"), undefined);
  assert.equal(checksumIn(`${sum}  a.zip\n${sum}  a.zip\n`, "a.zip"), undefined);
});

/** Serves a release whose list names the archive by a checksum. */
async function withRelease(checksum: (archive: Buffer) => string, body: (from: string, into: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "tofumerge-"));
  const name = archiveOf("1.2.3", process.platform, process.arch) ?? "";
  writeFileSync(join(dir, programName), "#!/bin/sh\n");
  execFileSync("tar", ["-czf", name, programName], { cwd: dir });
  const archive = readFileSync(join(dir, name));
  const server = createServer((request, response) => {
    if (request.url === "/v1.2.3/checksums.txt") {
      response.end(`${checksum(archive)}  ${name}\n`);
    } else if (request.url === `/v1.2.3/${name}`) {
      response.end(archive);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  try {
    await body(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, join(dir, "own"));
  } finally {
    server.close();
    rmSync(dir, { recursive: true });
  }
}

const hash = (archive: Buffer): string => createHash("sha256").update(archive).digest("hex");

test("a release is downloaded", { skip: windows && "the archive is no zip" }, async () => {
  await withRelease(hash, async (from, into) => {
    assert.equal(await download("1.2.3", into, from), join(into, programName));
    assert.deepEqual(readdirSync(into), [programName]);
    await assert.rejects(download("9.9.9", into, from), /404/);
  });
});

test("nothing with another checksum is unpacked", { skip: windows && "the archive is no zip" }, async () => {
  await withRelease(() => sum, async (from, into) => {
    await assert.rejects(download("1.2.3", into, from), /isn't the file/);
    assert.throws(() => readdirSync(into));
  });
});
