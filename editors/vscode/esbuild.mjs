// Bundles the extension into dist/extension.js, or with --tests each test into out/test.
//
//   node esbuild.mjs [--production] [--watch]
//   node esbuild.mjs --tests
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { context } from "esbuild";

const has = (flag) => process.argv.includes(flag);

const shared = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20", // that of VS Code 1.91
  external: ["vscode"],
  logLevel: "warning",
};

const extension = {
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  minify: has("--production"),
  sourcemap: !has("--production"),
};

const tests = {
  ...shared,
  entryPoints: readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`),
  outdir: "out/test",
  outExtension: { ".js": ".cjs" },
  sourcemap: "inline",
};

rmSync(has("--tests") ? "out" : "dist", { recursive: true, force: true });
if (has("--production")) {
  copyFileSync("../../LICENSE", "LICENSE"); // vsce packs what is in this directory
}
const build = await context(has("--tests") ? tests : extension);
if (has("--watch")) {
  await build.watch();
} else {
  await build.rebuild();
  await build.dispose();
}
