// The files of the page, and what it takes from folders.
import { maxBytes, maxFileBytes, maxFiles, refusePath } from "./limits";
import type { ModuleText } from "./protocol";

const configuration = /\.(tf|tofu)(\.json)?$/;
const others = /(\.tf(test|mock|query)\.hcl|\.tofutest\.hcl|^\.terraform\.lock\.hcl|^\.tofumerge\.hcl|^\.(terraform|opentofu)-version|^\.tool-versions|~)$/;

const base = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export class Files {
  private texts = new Map<string, string>();
  engine = "";
  dir = "";

  set(module: ModuleText): void {
    this.texts = new Map(Object.entries(module.files));
    this.engine = module.engine;
    this.dir = module.dir;
  }

  module(): ModuleText {
    return { files: Object.fromEntries(this.texts), dir: this.dir, engine: this.engine };
  }

  paths(): string[] {
    return [...this.texts.keys()].sort((a, b) => (a < b ? -1 : 1));
  }

  has(path: string): boolean {
    return this.texts.has(path);
  }

  text(path: string): string {
    return this.texts.get(path) ?? "";
  }

  write(path: string, text: string): void {
    this.texts.set(path, text);
  }

  remove(path: string): void {
    this.texts.delete(path);
  }

  /** Why a new name can't be given; empty if it can. */
  refuse(path: string): string {
    if (this.texts.has(path)) {
      return `There is a file ${path} already.`;
    }
    return this.texts.size >= maxFiles ? `The page holds at most ${maxFiles} files.` : refusePath(path);
  }

  /** The path of a file that the module calls by a name. */
  inModule(name: string): string {
    return this.dir === "" ? name : `${this.dir}/${name}`;
  }

  /** The directories with configuration files, the shallowest first. */
  dirs(): string[] {
    const found = new Set(this.paths().filter((p) => configuration.test(p)).map(parent));
    const depth = (dir: string) => (dir === "" ? 0 : dir.split("/").length);
    return [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  }

  bytes(): number {
    return [...this.texts.values()].reduce((sum, text) => sum + text.length, 0);
  }
}

/** What was taken of a folder. */
export interface Taken {
  files: Record<string, string>;
  left: string[]; // files that were not, each with the reason
  skipped: number; // files of other kinds
}

/** Reads what belongs to modules among some files. */
export async function take(list: { path: string; file: File }[]): Promise<Taken> {
  const taken: Taken = { files: Object.create(null) as Record<string, string>, left: [], skipped: 0 };
  let bytes = 0;
  for (const { path, file } of withoutTop(list)) {
    const isKnown = configuration.test(path) || others.test(base(path));
    if (!isKnown || path.split("/").some((part) => part === ".terraform" || part === "node_modules" || part === ".git")) {
      taken.skipped++;
    } else if (file.size > maxFileBytes || bytes + file.size > maxBytes) {
      taken.left.push(`${path}: larger than the page takes (${maxFileBytes >> 20} MB, ${maxBytes >> 20} MB in all)`);
    } else if (Object.keys(taken.files).length >= maxFiles) {
      taken.left.push(`${path}: the page holds at most ${maxFiles} files`);
    } else if (refusePath(path) !== "") {
      taken.left.push(`${path}: ${refusePath(path)}`);
    } else {
      bytes += file.size;
      taken.files[path] = await file.text();
    }
  }
  return taken;
}

/** The files below the folder that all of them are in. */
function withoutTop(list: { path: string; file: File }[]): { path: string; file: File }[] {
  const top = list[0]?.path.split("/")[0] ?? "";
  if (!list.every((f) => f.path.startsWith(`${top}/`))) {
    return list;
  }
  return list.map((f) => ({ path: f.path.slice(top.length + 1), file: f.file }));
}

const maxEntries = 5000; // of a dropped folder

/** The files that were dropped, with those in folders. */
export async function dropped(transfer: DataTransfer): Promise<{ path: string; file: File }[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((e) => e !== null);
  const list: { path: string; file: File }[] = [];
  const visit = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (list.length >= maxEntries || [".git", ".terraform", "node_modules"].includes(entry.name)) {
      return;
    }
    if (entry.isFile) {
      list.push({ path, file: await new Promise<File>((resolve, reject) => { (entry as FileSystemFileEntry).file(resolve, reject); }) });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
      if (batch.length === 0) {
        return;
      }
      for (const inner of batch) {
        await visit(inner, `${path}/${inner.name}`);
      }
    }
  };
  for (const entry of entries) {
    await visit(entry, entry.name);
  }
  return list;
}
