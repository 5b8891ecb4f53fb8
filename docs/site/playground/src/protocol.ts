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
  NotShown: string;
  LeftBlocks: number;
  LeftLines: number;
}

export interface FileText {
  Name: string;
  Parts: {
    /** Of the block; a fold has none. */
    Address?: string;
    Rows: Row[];
  }[];
}

export interface Row {
  Kind: "" | "gone" | "idle" | "fold" | "finding" | "left";
  Class?: string;
  Indent?: string;
  Text?: string;
  Notes?: Note[];
  Finding?: FindingRecord;
  Lines?: number;
}

/** A mark, in the words of tofumerge --annotate. */
export interface Note {
  Kind: string;
  Place: string;
  Detail?: string;
  Address: string;
}
