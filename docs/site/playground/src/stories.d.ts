// Made by build.mjs from the directory stories.
declare module "stories" {
  export const stories: { name: string; title: string; text: string; open: string; line: number; files: Record<string, string> }[];
}

// The support file of the Go release that compiles the program.
declare module "wasm-exec";
