// Finds the tofumerge program, and explains why it can't be the server if it can't.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

export const installURL = "https://github.com/tofumerge/tofumerge/blob/main/docs/install.md";

/** What ~ and ${workspaceFolder} mean. */
export interface Surroundings {
  home: string;
  /** The first folder of the workspace, if there is one and it is trusted. */
  folder: string | undefined;
  /** Programs that came with the extension or were downloaded for it, the preferred one first. */
  own: string[];
}

export class BinaryError extends Error {
  constructor(
    readonly kind: "bad-path" | "missing" | "old" | "broken",
    message: string,
  ) {
    super(message);
  }
}

/** The file name of the program. */
export const programName = process.platform === "win32" ? "tofumerge.exe" : "tofumerge";

/**
 * Returns the command of the setting `tofumerge.path`: a name to look up on the PATH, or an
 * absolute path. An empty one means the extension's own program if there is one. It refuses relative paths, which would depend on the working directory.
 */
export function commandOf(setting: string, at: Surroundings): string {
  if (setting === "") {
    return at.own.find((program) => existsSync(program)) ?? "tofumerge";
  }
  let command = setting;
  if (command === "~" || command.startsWith("~/") || command.startsWith("~\\")) {
    command = path.join(at.home, command.slice(1));
  }
  if (command.includes("${workspaceFolder}")) {
    if (at.folder === undefined) {
      throw new BinaryError("bad-path", `tofumerge.path is ${setting}, and no trusted folder is open.`);
    }
    command = command.replaceAll("${workspaceFolder}", at.folder);
  }
  if (/[\\/]/.test(command) && !path.isAbsolute(command)) {
    throw new BinaryError(
      "bad-path",
      `tofumerge.path is ${setting}, which is relative. Write a name, an absolute path, or one that starts with ~ or \${workspaceFolder}.`,
    );
  }
  return command;
}

/**
 * The working directory of the program. In the directory of a workspace, Windows would prefer a
 * tofumerge.exe there to the one on the PATH.
 */
export const workingDirectory = os.homedir();

/** Fails with a BinaryError if the command isn't a tofumerge with a language server. */
export async function probe(command: string): Promise<void> {
  const failed = await run(command, ["help", "lsp"]);
  if (failed === undefined) {
    return;
  }
  if (failed.code === "ENOENT") {
    throw new BinaryError("missing", `VS Code can't find the program ${command}. Install it, or set tofumerge.path.`);
  }
  if (typeof failed.code !== "number") {
    throw new BinaryError("broken", `${command} doesn't run: ${failed.message}`);
  }
  if ((await run(command, ["version"])) === undefined) {
    throw new BinaryError("old", `This version of ${command} has no language server. Install a newer one.`);
  }
  throw new BinaryError("broken", `${command} isn't tofumerge, or doesn't run. Set tofumerge.path.`);
}

interface Failure {
  code: string | number | undefined;
  message: string;
}

function run(command: string, args: string[]): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: workingDirectory, timeout: 20_000, windowsHide: true }, (error) => {
      resolve(error === null ? undefined : { code: error.code ?? undefined, message: error.message });
    });
  });
}
