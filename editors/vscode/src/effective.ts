// The names of the virtual documents that show effective configurations.

import { posix } from "node:path";

export const scheme = "tofumerge";

/** What a virtual document shows. */
export interface Shown {
  /** The URI of a file of the module. */
  source: string;
  /** The effective text of that file alone, instead of the module's. */
  single: boolean;
}

/** The parts of the URI of a virtual document. */
export interface Parts {
  scheme: string;
  path: string;
  query: string;
}

/** Which document shows it. VS Code makes the title of its tab from the last part of the path. */
export function partsOf(shown: Shown, sourcePath: string): Parts {
  const subject = shown.single ? posix.basename(sourcePath) : posix.basename(posix.dirname(sourcePath));
  return {
    scheme,
    path: `/effective: ${subject === "" ? "/" : subject}`,
    query: `${shown.single ? "file" : "module"}=${encodeURIComponent(shown.source)}`,
  };
}

/** What the document with that query shows; undefined if nobody made such a query. */
export function shownBy(query: string): Shown | undefined {
  const match = /^(file|module)=(.+)$/.exec(query);
  if (match?.[1] === undefined || match[2] === undefined) {
    return undefined;
  }
  try {
    return { source: decodeURIComponent(match[2]), single: match[1] === "file" };
  } catch {
    return undefined;
  }
}

/** The URI of the directory of a file, without a slash at its end. */
export function directoryOf(uri: string): string {
  return uri.slice(0, Math.max(uri.lastIndexOf("/"), 0));
}

const configuration = /\.(tf|tofu)(\.json)?$/;

/** Whether a file is one of configuration by its name. */
export function isConfiguration(path: string): boolean {
  return configuration.test(path);
}
