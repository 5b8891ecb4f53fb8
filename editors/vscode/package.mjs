// Packs the extension, for one system with the program inside.
//
//   node package.mjs             tofumerge.vsix, without a program
//   node package.mjs linux-x64   tofumerge-linux-x64.vsix, with the program of that system
//   node package.mjs all         all of them
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";

const systems = {
  "linux-x64": ["linux", "amd64"],
  "linux-arm64": ["linux", "arm64"],
  "darwin-x64": ["darwin", "amd64"],
  "darwin-arm64": ["darwin", "arm64"],
  "win32-x64": ["windows", "amd64"],
  "win32-arm64": ["windows", "arm64"],
};
const [asked = ""] = process.argv.slice(2);
if (asked !== "" && asked !== "all" && !(asked in systems)) {
  console.error(`usage: node package.mjs [all|${Object.keys(systems).join("|")}]`);
  process.exit(1);
}
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const run = (program, args, env = {}) => {
  execFileSync(program, args, { stdio: "inherit", env: { ...process.env, ...env }, shell: process.platform === "win32" });
};

run("node", ["esbuild.mjs", "--production"]);
for (const system of asked === "all" ? ["", ...Object.keys(systems)] : [asked]) {
  rmSync("bin", { recursive: true, force: true });
  const target = [];
  if (system !== "") {
    const [os, architecture] = systems[system];
    const linked = `-s -w -X github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process.version=${version}`;
    run("go", ["build", "-C", "../..", "-trimpath", `-ldflags=${linked}`,
      "-o", `editors/vscode/bin/tofumerge${os === "windows" ? ".exe" : ""}`, "./cmd/tofumerge"],
      { GOOS: os, GOARCH: architecture, CGO_ENABLED: "0" });
    target.push("--target", system);
  }
  run("npx", ["vsce", "package", "--no-dependencies", ...target,
    "--baseContentUrl", "https://github.com/tofumerge/tofumerge/blob/main/editors/vscode",
    "--baseImagesUrl", "https://github.com/tofumerge/tofumerge/raw/main/editors/vscode",
    "--out", system === "" ? "tofumerge.vsix" : `tofumerge-${system}.vsix`]);
}
rmSync("bin", { recursive: true, force: true });
