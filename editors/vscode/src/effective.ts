// The URIs of the virtual documents that show effective configurations.

import { posix } from "node:path";
import type { EffectiveParams } from "./protocol";

export const scheme = "tofumerge";

/** The languages of effective configurations with marks, which are wrapped where the pane ends. */
export const effectiveLanguage = "tofumerge-effective";
export const effectiveJSONLanguage = "tofumerge-effective-json";

/** The language of a virtual document whose source has a language. */
export function languageOf(shown: Shown, sourceLanguage: string): string {
  if (shown.single) {
    return sourceLanguage;
  }
  return shown.source.endsWith(".json") ? effectiveJSONLanguage : effectiveLanguage;
}

/** What a virtual document shows. */
export interface Shown {
  /** The URI of a file of the module. */
  source: string;
  /** Whether it shows only that file with the overrides merged in, instead of the whole module. */
  single: boolean;
}

/** The parts of the URI of a virtual document. */
export interface Parts {
  scheme: string;
  path: string;
  query: string;
}

/** The URI of the document that shows it. The last part of the path is the title of its tab. */
export function partsOf(shown: Shown, sourcePath: string): Parts {
  const subject = shown.single ? posix.basename(sourcePath) : posix.basename(posix.dirname(sourcePath));
  return {
    scheme,
    path: `/effective: ${subject === "" ? "/" : subject}`,
    query: `${shown.single ? "file" : "module"}=${encodeURIComponent(shown.source)}`,
  };
}

/** What the document with this query shows; undefined if partsOf doesn't make such a query. */
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

/** The parameters of the request for it. */
export function paramsOf(shown: Shown): EffectiveParams {
  return {
    textDocument: { uri: shown.source },
    format: shown.source.endsWith(".json") ? "json" : "native",
    ...(shown.single ? { file: true } : {}),
  };
}

/** Whether a file is directly in a directory, by their paths. */
export function isIn(path: string, directory: string): boolean {
  return posix.dirname(path) === (directory.length > 1 ? directory.replace(/\/$/, "") : directory);
}

const configuration = /\.(tf|tofu)(\.json)?$/;

/** Whether a file is a configuration file by its name. */
export function isConfiguration(path: string): boolean {
  return configuration.test(path);
}

const override = /^(?:.*_)?override\.(tf|tofu)(\.json)?$/;

/** Whether a file is an override file by its name. */
export function isOverride(path: string): boolean {
  return override.test(posix.basename(path));
}
