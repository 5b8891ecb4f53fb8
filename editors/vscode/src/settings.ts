// The settings of the extension, as package.json declares them, and those that the server gets.

export type Severity = "notice" | "warning" | "error";

export interface Settings {
  path: string;
  engine: string;
  minSeverity: Severity;
  redact: boolean;
  inlayHints: boolean;
  codeLens: boolean;
  semanticTokens: boolean;
}

/** Reads a setting by its name without `tofumerge.`; undefined if it isn't set. */
export type Lookup = (name: string) => unknown;

export function readSettings(lookup: Lookup): Settings {
  const text = (name: string, fallback: string): string => {
    const value = lookup(name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : fallback;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const value = lookup(name);
    return typeof value === "boolean" ? value : fallback;
  };
  return {
    path: text("path", "tofumerge"),
    engine: text("engine", ""),
    minSeverity: severity(text("minSeverity", "notice")),
    redact: flag("redact", false),
    inlayHints: flag("inlayHints.enabled", true),
    codeLens: flag("codeLens.enabled", true),
    semanticTokens: flag("semanticTokens.enabled", false),
  };
}

function severity(name: string): Severity {
  return name === "warning" || name === "error" ? name : "notice";
}

/** The options for the server: settings, and the commands that the extension runs. */
export function initializationOptions(s: Settings): Record<string, unknown> {
  return {
    ...(s.engine === "" ? {} : { engine: s.engine }),
    minSeverity: s.minSeverity,
    redact: s.redact,
    semanticTokens: s.semanticTokens,
    commands: ["tofumerge.showOverrides", "tofumerge.showEffective"],
  };
}
