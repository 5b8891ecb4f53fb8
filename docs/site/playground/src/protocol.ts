// The requests and answers of the program, as cmd/tofumerge/internal/playground defines them.

export interface ModuleText {
  files: Record<string, string>;
  dir: string;
  engine: string;
}

export interface Position {
  file: string;
  line: number;
  column: number;
}

export interface Request {
  view: "effective" | "changes" | "check" | "explain" | "engines";
  module?: ModuleText;
  at?: Position;
  columns?: number;
}

export interface Answer {
  error?: string;
  crash?: boolean;
  module?: ModuleAnswer;
  explain?: { text: string };
  engines?: EngineChoice[];
}

export interface EngineChoice {
  name: string;
  title: string;
  releases: string[];
}

export interface ModuleAnswer {
  engine: string;
  title: string;
  reason: string;
  isRefused: boolean;
  elsewhere: number;
  files: FileAnswer[];
  findings: FindingRecord[];
  silenced: FindingRecord[];
  effective?: Section;
  changes?: Changes;
}

export interface FileAnswer {
  name: string;
  role: string;
  note?: string;
}

export interface FindingRecord {
  rule: string;
  severity: "error" | "warning" | "notice";
  path: string;
  range: { start: Mark; end: Mark };
  message: string;
  address?: string;
  url: string;
}

export interface Mark {
  line: number;
  column: number;
}

export interface Changes {
  blocks: { address: string; note?: string; lines: ChangeLine[] }[];
  count: string;
  left?: string;
}

export interface ChangeLine {
  kind: "changed" | "added" | "dropped";
  /** Not a change, but the common parent of the lines below it. */
  isGroup?: boolean;
  depth: number;
  name: string;
  value: string;
  by?: string;
  below?: ChangeLine[];
}

// What package section makes.

export interface Section {
  IsBroken: boolean;
  Files: number;
  Legend: { Class: string; Name: string; Does: string }[] | null;
  MoreFiles: number;
  Texts: FileText[] | null;
  Rest: FileText[] | null;
  Blocks: { Address: string; Note: string; Lines: ChangeLine[] | null }[] | null;
  NotShown: string;
  Left: string;
}

export interface FileText {
  Name: string;
  Parts: Part[] | null;
}

export interface Part {
  Rows: Row[] | null;
  Fold: Fold | null;
}

export interface Fold {
  Lines: number;
  Text: string;
  Where: string;
}

export interface Row {
  Kind: "" | "mark" | "also" | "gone" | "idle" | "fold" | "finding" | "left";
  Text?: string;
  Lines?: { Indent: string; Text: string }[];
  Class?: string;
  Note?: Note;
  Verb?: string;
  Why?: string;
  Place?: string;
  Address?: string;
  Fold?: Fold;
  Finding?: { Severity: string; Rule: string; URL: string; Message: string };
  Left?: number;
}

export interface Note {
  ID: string;
  Address: string;
  Verb: string;
  Place: string;
  Was: { Value: string; Place: string }[] | null;
  Changes: ChangeLine[] | null;
  More: number;
  Hides: string[] | null;
  Why: string;
  Old: string;
  IsBelow: boolean;
}
