// The module in the fragment of the address. Browsers don't send it to servers.
import { maxBytes, maxFiles, maxLink, refusePath } from "./limits";
import type { ModuleText } from "./protocol";

const start = "#module=";

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

export async function fragmentOf(module: ModuleText): Promise<string> {
  const text = JSON.stringify({ version: 1, ...module });
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return start + base64url(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/** Reads at most so many bytes: a short fragment can unpack to gigabytes. */
async function unpacked(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<string> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error(`it holds more than ${limit >> 20} MB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function moduleOf(value: unknown): ModuleText {
  const m = (value ?? {}) as { version?: unknown; files?: unknown; dir?: unknown; engine?: unknown };
  if (m.version !== 1) {
    throw new Error("it is of another version of the playground");
  }
  if (typeof m.files !== "object" || m.files === null || !isText(m.dir) || !isText(m.engine)) {
    throw new Error("it holds no module");
  }
  const entries = Object.entries(m.files);
  if (entries.length === 0 || entries.length > maxFiles) {
    throw new Error(`it holds ${entries.length} files; at most ${maxFiles} are read`);
  }
  const files: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [path, text] of entries) {
    if (!isText(text) || refusePath(path) !== "") {
      throw new Error("it holds no module");
    }
    files[path] = text;
  }
  return { files, dir: m.dir, engine: m.engine };
}

/** The module in a fragment; undefined if there is none. The error explains why it can't be read. */
export async function moduleIn(fragment: string): Promise<ModuleText | undefined> {
  if (!fragment.startsWith(start)) {
    return undefined;
  }
  if (fragment.length > maxLink) {
    throw new Error("it is too long");
  }
  let value: unknown;
  try {
    value = JSON.parse(await unpacked(fromBase64url(fragment.slice(start.length)), maxBytes));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("it holds")) {
      throw error;
    }
    throw new Error("it is cut or damaged", { cause: error });
  }
  return moduleOf(value);
}
