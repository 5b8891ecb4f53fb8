// Scenarios in which the server doesn't run, or isn't there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { until } from "./editor.mjs";
import { annotated, messages } from "./parts.mjs";

async function says(window, text) {
  await window.openFile("main.tf");
  await window.sees(messages, text);
}

/** A program that isn't a server, for the setting tofumerge.path. */
const writeProgram = (path, script) => {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};

/** Serves a release with the program, and takes the program from the PATH. */
async function offerDownload(home, server, isGenuine) {
  const program = execFileSync("sh", ["-c", `command -v '${process.env.TOFUMERGE ?? "tofumerge"}'`], { encoding: "utf8" }).trim();
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
  const archive = `tofumerge_${version}_linux_${arch}.tar.gz`;
  const release = join(home, "release");
  mkdirSync(release);
  copyFileSync(program, join(release, "tofumerge"));
  execFileSync("tar", ["-czf", archive, "tofumerge"], { cwd: release });
  const sum = createHash("sha256").update(readFileSync(join(release, archive))).digest("hex");
  writeFileSync(join(release, "checksums.txt"), `${isGenuine ? sum : sum.replaceAll(/[0-9]/g, "0")}  ${archive}\n`);
  const files = createServer((request, response) => {
    const path = join(release, basename(request.url));
    if (!request.url.startsWith(`/v${version}/`) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => files.listen(0, "127.0.0.1", resolve));
  files.unref();
  server.environment = { PATH: process.env.PATH.split(":").filter((directory) => !existsSync(join(directory, "tofumerge"))).join(":") };
  server.afterInstall = () => {
    const [name] = readdirSync(server.extensions).filter((directory) => directory.startsWith("tofumerge."));
    const script = join(server.extensions, name, "dist", "extension.js");
    const text = readFileSync(script, "utf8");
    const releases = "https://github.com/tofumerge/tofumerge/releases/download";
    assert.ok(text.includes(releases));
    writeFileSync(script, text.replaceAll(releases, `http://127.0.0.1:${files.address().port}`));
  };
  return {};
}

/** The programs that were downloaded. */
const downloadedIn = (home) =>
  readdirSync(join(home, "data"), { recursive: true }).filter((path) => basename(path) === "tofumerge" && path.includes("globalStorage"));

export const faults = [
  {
    name: "crash",
    what: "a server that doesn't come up, and a restart with one that does",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, '[ "$1" = help ] || { echo "out of luck" >&2; exit 1; }');
      return { "tofumerge.path": path };
    },
    body: async ({ window, home }) => {
      await says(window, "didn't start");
      writeProgram(join(home, "tofumerge"), `exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      await window.run("Notifications: Clear All Notifications");
      await window.run("Tofumerge: Restart Server");
      await window.openFile("main.tf", 11, 1);
      await annotated(window);
    },
  },
  {
    name: "crashes",
    what: "a server that dies and doesn't come up again, and one restart with one that does",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, `[ "$1" = help ] || echo $$ > '${join(home, "pid")}'; exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      return { "tofumerge.path": path };
    },
    body: async ({ window, home }) => {
      const path = join(home, "tofumerge");
      await window.openFile("main.tf", 11, 1);
      await annotated(window);
      writeProgram(path, '[ "$1" = help ]');
      process.kill(Number(readFileSync(join(home, "pid"), "utf8")));
      await window.sees(messages, "crashed and doesn't start again");
      await until("the hint to go", async () => !/← .*local_override\.tf:7/.test(await window.text()));
      assert.equal(await window.page.locator(messages).filter({ hasText: /stream|Code:/ }).count(), 0);
      writeProgram(path, `exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      await window.run("Notifications: Clear All Notifications");
      await window.run("Tofumerge: Restart Server");
      await annotated(window);
      assert.equal(await window.page.locator(messages).count(), 0);
    },
  },
  {
    name: "missing",
    what: "no program",
    settings: { "tofumerge.path": "tofumerge-that-nobody-has" },
    body: async ({ window }) => {
      await says(window, "can't find the program tofumerge-that-nobody-has. Install it, or set tofumerge.path.");
      // A command says the same, with the same buttons.
      await window.run("Notifications: Clear All Notifications");
      await until("the message to go", async () => (await window.page.locator(messages).count()) === 0);
      await window.run("Tofumerge: Show Effective Configuration");
      await window.sees(messages, "can't find the program");
      await window.sees(".notifications-toasts .monaco-button", "How to Install");
    },
  },
  {
    name: "download",
    what: "no program, which is downloaded",
    settings: { "tofumerge.path": "" },
    prepare: ({ home, server }) => offerDownload(home, server, true),
    body: async ({ window, home }) => {
      await window.openFile("main.tf", 11, 5);
      await window.sees(messages, "can't find the program tofumerge.");
      await (await window.appears(".notifications-toasts .monaco-button >> text=Download", "the button")).click();
      await annotated(window);
      assert.ok(downloadedIn(home).length === 1);
    },
  },
  {
    name: "forged",
    what: "a download that isn't what the checksums name",
    settings: { "tofumerge.path": "" },
    prepare: ({ home, server }) => offerDownload(home, server, false),
    body: async ({ window, home }) => {
      await window.openFile("main.tf", 11, 5);
      await (await window.appears(".notifications-toasts .monaco-button >> text=Download", "the button")).click();
      await window.sees(messages, "isn't the file that checksums.txt");
      assert.deepEqual(downloadedIn(home), []);
    },
  },
  {
    name: "old",
    what: "a program without a language server",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, '[ "$1" = version ]');
      return { "tofumerge.path": path };
    },
    body: async ({ window }) => {
      await says(window, "has no language server. Install a newer one.");
    },
  },
  {
    name: "restricted",
    what: "a workspace that isn't trusted doesn't choose the program",
    settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
    prepare: ({ folder, home }) => {
      writeProgram(join(folder, "evil"), `touch '${join(home, "shop", "ran.txt")}'`);
      mkdirSync(join(folder, ".vscode"));
      writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify({ "tofumerge.path": join(folder, "evil") }));
    },
    body: async ({ window, folder }) => {
      await window.openFile("main.tf", 11, 5);
      await annotated(window);
      await window.sees(".statusbar", "Restricted Mode");
      assert.ok(!existsSync(join(folder, "ran.txt")));
    },
  },
];
