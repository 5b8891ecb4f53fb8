// What the server offers beyond the Language Server Protocol.

import type { Location, Position, Range } from "vscode-languageserver-protocol";

/** The effective configuration of the module that a document belongs to. */
export const effectiveRequest = "tofumerge/effective";

export interface EffectiveParams {
  textDocument: { uri: string };
}

export interface EffectiveResult {
  content: string;
}

/** Sent when the effective configuration of a module may have changed. */
export const effectiveChanged = "tofumerge/effectiveChanged";

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

function isPosition(value: unknown): value is Position {
  return isObject(value) && isCount(value["line"]) && isCount(value["character"]);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
