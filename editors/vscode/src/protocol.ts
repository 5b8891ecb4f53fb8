// What the server offers beyond the Language Server Protocol.

import type { Location, Position, Range } from "vscode-languageserver-protocol";

/** Asks for the effective configuration of the module that a document belongs to. */
export const effectiveRequest = "tofumerge/effective";

export interface EffectiveParams {
  textDocument: { uri: string };
  /** A place in the document, for the range in the result. */
  position?: Position;
  format: "native" | "json";
  /** The effective text of the document alone, without comments about what overrides did. */
  file?: boolean;
}

export interface EffectiveResult {
  content: string;
  /** Where the item at the position is in the content. */
  range?: Range;
}

/** Sent when the effective configuration of a module may be another one now. */
export const effectiveChanged = "tofumerge/effectiveChanged";

export interface EffectiveChangedParams {
  /** The URI of the directory of the module. */
  directory: string;
}

/** What the commands of code lenses are given: where the lens is, and what it counts. */
export interface Places {
  uri: string;
  position: Position;
  locations: Location[];
}

/** Reads the arguments of a command, which come from the server; undefined if they are others. */
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
