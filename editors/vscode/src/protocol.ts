// The server's extensions of the Language Server Protocol.

import type { Location, Position, Range } from "vscode-languageserver-protocol";

/** Requests the effective configuration of the module of a document. */
export const effectiveRequest = "tofumerge/effective";

export interface EffectiveParams {
  textDocument: { uri: string };
  /** A position in the document, for the range in the result. */
  position?: Position;
  format: "native" | "json";
  /** Requests only this document with the overrides merged in, without comments that say what they did. */
  file?: boolean;
}

export interface EffectiveResult {
  content: string;
  /** Where the item at the position is in the content. */
  range?: Range;
}

/** Notifies that the effective configuration of a module may have changed. */
export const effectiveChanged = "tofumerge/effectiveChanged";

export interface EffectiveChangedParams {
  /** The URI of the module's directory. */
  directory: string;
}

/** The arguments of a code lens's command: where the lens is, and the places that it counts. */
export interface Places {
  uri: string;
  position: Position;
  locations: Location[];
}

/** Checks the arguments of a command, which come from the server; undefined if they are wrong. */
export function placesOf(args: unknown[]): Places | undefined {
  const [uri, position, locations] = args;
  if (typeof uri !== "string" || !isPosition(position) || !Array.isArray(locations)) {
    return undefined;
  }
  return { uri, position, locations: locations.filter(isLocation) };
}

function isLocation(value: unknown): value is Location {
  return isObject(value) && typeof value["uri"] === "string" && isRange(value["range"]);
}

function isRange(value: unknown): value is Range {
  return isObject(value) && isPosition(value["start"]) && isPosition(value["end"]);
}

export function isPosition(value: unknown): value is Position {
  return isObject(value) && isCount(value["line"]) && isCount(value["character"]);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
