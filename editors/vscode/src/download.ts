// Downloads the program of a release, for an extension that was packed without one.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { programName } from "./binary";

const releases = "https://github.com/tofumerge/tofumerge/releases/download";

/** How many bytes an archive has at most. */
const largest = 200_000_000;

/** The name of the archive of a release for a system; undefined if there is none. */
export function archiveOf(version: string, platform: string, architecture: string): string | undefined {
  const os = ({ linux: "linux", darwin: "darwin", win32: "windows" } as Record<string, string>)[platform];
  const arch = ({ x64: "amd64", arm64: "arm64" } as Record<string, string>)[architecture];
  if (os === undefined || arch === undefined) {
    return undefined;
  }
  return `tofumerge_${version}_${os}_${arch}.${os === "windows" ? "zip" : "tar.gz"}`;
}

/** The SHA-256 of a file in a list of checksums; undefined if the list doesn't name it once. */
export function checksumIn(list: string, file: string): string | undefined {
  const sums = list
    .split("\n")
    .map((line) => /^([0-9a-f]{64}) [ *](\S+)$/.exec(line.trim()))
    .filter((match) => match?.[2] === file)
    .map((match) => match?.[1]);
  return sums.length === 1 ? sums[0] : undefined;
}

/** Fetches a file. */
export type Get = (url: string) => Promise<Uint8Array>;

export const get: Get = async (url) => {
  const response = await fetch(url, { redirect: "follow", signal: AbortSignal.timeout(120_000) });
  if (!response.ok) {
    throw new Error(`${url}: ${String(response.status)} ${response.statusText}`);
  }
  const length = Number(response.headers.get("content-length") ?? 0);
  if (length > largest) {
    throw new Error(`${url} has ${String(length)} bytes, which is more than an archive has`);
  }
  return new Uint8Array(await response.arrayBuffer());
};

/**
 * Downloads the program of a release into a directory, and returns its path. Nothing is unpacked
 * before its checksum was compared, and the program appears at once.
 */
export async function download(version: string, into: string, from: string = releases, fetched: Get = get): Promise<string> {
  const archive = archiveOf(version, process.platform, process.arch);
  if (archive === undefined) {
    throw new Error(`There is no release for ${process.platform} on ${process.arch}.`);
  }
  const base = `${from}/v${version}`;
  const [list, content] = await Promise.all([fetched(`${base}/checksums.txt`), fetched(`${base}/${archive}`)]);
  const want = checksumIn(new TextDecoder().decode(list), archive);
  if (want === undefined) {
    throw new Error(`checksums.txt of ${version} doesn't name ${archive}.`);
  }
  if (createHash("sha256").update(content).digest("hex") !== want) {
    throw new Error(`${archive} isn't the file that checksums.txt of ${version} names.`);
  }
  await mkdir(into, { recursive: true });
  const work = await mkdtemp(path.join(into, "new-"));
  try {
    await writeFile(path.join(work, archive), content);
    // tar unpacks zip archives, too, where it is that of Windows.
    await promisify(execFile)("tar", ["-xf", archive, programName], { cwd: work, timeout: 60_000 });
    const program = path.join(work, programName);
    await chmod(program, 0o755);
    await rename(program, path.join(into, programName));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return path.join(into, programName);
}
