// The settings of the extension, as package.json declares them, and those that the server gets.

export type Severity = "notice" | "warning" | "error";

export type Detail = "quiet" | "normal" | "full";

export interface Settings {
  path: string;
  engine: string;
  minSeverity: Severity;
  redact: boolean;
  inlayHints: boolean;
  codeLens: boolean;
  detail: Detail;
  fade: boolean | null;
  droppedHints: boolean | null;
  addedHints: boolean | null;
  counts: boolean | null;
  allModules: boolean;
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
  const part = (name: string): boolean | null => {
    const value = lookup(name);
    return typeof value === "boolean" ? value : null;
  };
  return {
    path: text("path", ""),
    engine: text("engine", ""),
    minSeverity: severity(text("minSeverity", "notice")),
    redact: flag("redact", false),
    inlayHints: flag("inlayHints.enabled", true),
    codeLens: flag("codeLens.enabled", true),
    detail: detail(text("detail", "normal")),
    fade: part("fade"),
    droppedHints: part("droppedHints"),
    addedHints: part("addedHints"),
    counts: part("counts"),
    allModules: flag("allModules", false),
  };
}

function severity(name: string): Severity {
  return name === "warning" || name === "error" ? name : "notice";
}

function detail(name: string): Detail {
  return name === "quiet" || name === "full" ? name : "normal";
}

/** The options for the server: settings, and the commands that the extension runs. */
export function initializationOptions(s: Settings): Record<string, unknown> {
  return {
    ...(s.engine === "" ? {} : { engine: s.engine }),
    minSeverity: s.minSeverity,
    redact: s.redact,
    detail: s.detail,
    ...(s.fade === null ? {} : { fade: s.fade }),
    ...(s.droppedHints === null ? {} : { droppedHints: s.droppedHints }),
    ...(s.addedHints === null ? {} : { addedHints: s.addedHints }),
    ...(s.counts === null ? {} : { counts: s.counts }),
    listsHints: false, // VS Code fades out what they are about, and lists them nowhere
    commands: ["tofumerge.showOverrides", "tofumerge.showEffective"],
  };
}
