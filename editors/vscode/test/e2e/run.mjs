// Tries the packaged extension in code-server and Chromium, with the tofumerge on the PATH:
//
//   npm run package && CODE_SERVER=code-server npm run e2e
//
//   CODE_SERVER  the program, or its out/node/entry.js; if it isn't set, the tests are skipped
//   CHROMIUM     the browser (default /usr/bin/chromium)
//   TOFUMERGE    the program that the extension starts (default tofumerge)
//   GRAMMAR      a TextMate grammar for the fake Terraform language, for colors
//   TERRAFORM_VSIX, TERRAFORM_LS
//                files with HashiCorp's extension and its server, for the scenario beside it; without them,
//                it is skipped
//   ONLY         names of scenarios, separated by commas
//   PATIENCE     how many seconds to wait for anything (default 300); long waits are printed
//   VSIX         the extension (default tofumerge.vsix)
//   SHOTS        the directory for pictures (default out/e2e)
//
// Ten scenes are pictured in a dark, a light and a high-contrast theme. SHOTS/scenes.md says what must be
// seen in each: look at them after a visible change.
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CodeServer, Window, launchBrowser, sleep, until } from "./editor.mjs";
import { scenarios } from "./scenarios.mjs";

const { CODE_SERVER, CHROMIUM = "/usr/bin/chromium", TOFUMERGE = "tofumerge", GRAMMAR, ONLY } = process.env;
const { VSIX = "tofumerge.vsix", SHOTS = "out/e2e", TERRAFORM_VSIX, TERRAFORM_LS } = process.env;
if (!CODE_SERVER || !existsSync(CHROMIUM)) {
  console.log(`skipped: ${CODE_SERVER ? `${CHROMIUM} is missing` : "CODE_SERVER is not set"}`);
  process.exit(0);
}

const shots = resolve(SHOTS);
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });

/** The themes of the pictures: the first part of their names, their ids, and the class of their window. */
const themes = [
  ["dark", "Dark 2026", "vs-dark"],
  ["light", "Light 2026", "vs"],
  ["contrast", "Default High Contrast", "hc-black"],
];

/** Installs an extension that defines the language of .tf files, as HashiCorp's does. */
function installLanguage(server) {
  const dir = join(server.extensions, "stub.language-1.0.0");
  mkdirSync(dir);
  const contributes = { languages: [{ id: "terraform", extensions: [".tf"], aliases: ["Terraform"] }] };
  if (GRAMMAR) {
    cpSync(GRAMMAR, join(dir, "grammar.json"));
    contributes.grammars = [{ language: "terraform", scopeName: "source.hcl.terraform", path: "./grammar.json" }];
  }
  const manifest = { name: "language", publisher: "stub", version: "1.0.0", engines: { vscode: "^1.91.0" }, contributes };
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
}

const settings = {
  "workbench.colorTheme": themes[0][1],
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "files.autoSave": "off",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "tofumerge.path": TOFUMERGE,
};

/** Takes a picture of a scene in each theme, and notes what must be seen in it. */
function photographer(scenario, server, { page }) {
  return async (name, seen) => {
    if (scenario.plain) return; // it shows what another scenario shows
    const file = `${scenario.name}-${name}`;
    for (const [theme, id, look] of [...themes.slice(1), themes[0]]) {
      server.settings({ "workbench.colorTheme": id });
      await until(`the theme ${id}`, () => page.$(`.monaco-workbench.${look}`));
      writeFileSync(join(shots, `${file}-${theme}.png`), await still(page));
    }
    appendFileSync(join(shots, "scenes.md"), `- ${file}: ${seen}\n`);
  };
}

/** A picture of a page, as soon as it stays the same. */
async function still(page) {
  let before = await page.screenshot();
  await until("a window that stays the same", async () => {
    await sleep(700);
    const now = await page.screenshot();
    const isSame = now.equals(before);
    before = now;
    return isSame;
  });
  return before;
}

async function tryOut(scenario, browser) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "tofumerge-e2e-")));
  const folder = join(home, "shop");
  cpSync(scenario.module ?? "../../testdata/modules/web", join(folder, "web"), { recursive: true });
  const server = new CodeServer(CODE_SERVER, home, { ...settings, ...scenario.settings });
  server.settings((await scenario.prepare?.({ folder, home, server })) ?? {});
  if (!scenario.plain && !scenario.beside) installLanguage(server);
  try {
    if (scenario.beside) await server.install(resolve(TERRAFORM_VSIX));
    await server.install(resolve(VSIX));
    server.afterInstall?.();
    await server.start();
    const window = await Window.open(server, folder, browser);
    const scene = photographer(scenario, server, window);
    try {
      await scenario.body({ window, folder, home, server, scene });
    } catch (error) {
      await window.page.screenshot({ path: join(shots, `${scenario.name}-failed.png`) });
      throw error;
    } finally {
      await window.page.close();
    }
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 });
  }
}

const only = ONLY ? ONLY.split(",") : undefined;
for (const name of only ?? []) {
  if (!scenarios.some((s) => s.name === name)) throw new Error(`no scenario ${name}: ${scenarios.map((s) => s.name).join(", ")}`);
}
let failed = 0;
const browser = await launchBrowser(CHROMIUM);
try {
  for (const scenario of scenarios.filter((s) => !only || only.includes(s.name))) {
    if (scenario.beside && !(TERRAFORM_VSIX && TERRAFORM_LS)) {
      console.log(`skipped ${scenario.name}: TERRAFORM_VSIX or TERRAFORM_LS is not set`);
      continue;
    }
    const start = Date.now();
    try {
      await tryOut(scenario, browser);
      console.log(`ok      ${scenario.name}: ${scenario.what} (${Math.round((Date.now() - start) / 1000)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${scenario.name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
}
process.exit(failed > 0 ? 1 : 0);
