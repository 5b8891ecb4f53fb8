// Tries the packaged extension in code-server and Chromium, with the tofumerge on the PATH:
//
//   npm run package && CODE_SERVER=code-server npm run e2e
//
//   CODE_SERVER  the program, or its out/node/entry.js; if it isn't set, the tests are skipped
//   CHROMIUM     the browser (default /usr/bin/chromium)
//   TOFUMERGE    the program that the extension starts (default tofumerge)
//   GRAMMAR      a TextMate grammar for the fake Terraform language, for colors
//   ONLY         names of scenarios, separated by commas
//
// Screenshots are in out/e2e.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CodeServer, Window, launchBrowser } from "./editor.mjs";
import { scenarios } from "./scenarios.mjs";

const { CODE_SERVER, CHROMIUM = "/usr/bin/chromium", TOFUMERGE = "tofumerge", GRAMMAR, ONLY, BESIDE } = process.env;
if (!CODE_SERVER || !existsSync(CHROMIUM)) {
  console.log(`skipped: ${CODE_SERVER ? `${CHROMIUM} is missing` : "CODE_SERVER is not set"}`);
  process.exit(0);
}

const shots = resolve("out/e2e");
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });

/** A provider of semantic tokens, as of a language server: each word "resource" is a macro. */
const tokens = `
const vscode = require("vscode");
const legend = new vscode.SemanticTokensLegend(["macro"]);
exports.activate = () => vscode.languages.registerDocumentSemanticTokensProvider({ scheme: "file", language: "terraform" }, {
  provideDocumentSemanticTokens(document) {
    const builder = new vscode.SemanticTokensBuilder(legend);
    for (let i = 0; i < document.lineCount; i++) {
      if (document.lineAt(i).text.startsWith("resource")) builder.push(i, 0, 8, 0, 0);
    }
    return builder.build();
  },
}, legend);
`;

/** Installs an extension that defines the language of .tf files, as HashiCorp's does. */
function installLanguage(server, hasTokens) {
  const dir = join(server.extensions, "stub.language-1.0.0");
  mkdirSync(dir);
  const contributes = { languages: [{ id: "terraform", extensions: [".tf"], aliases: ["Terraform"] }] };
  if (GRAMMAR) {
    cpSync(GRAMMAR, join(dir, "grammar.json"));
    contributes.grammars = [{ language: "terraform", scopeName: "source.hcl.terraform", path: "./grammar.json" }];
  }
  const manifest = { name: "language", publisher: "stub", version: "1.0.0", engines: { vscode: "^1.91.0" }, contributes };
  if (hasTokens) {
    Object.assign(manifest, { main: "./main.js", activationEvents: ["onLanguage:terraform"] });
    writeFileSync(join(dir, "main.js"), tokens);
  }
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
}

async function tryOut(scenario, browser) {
  const home = mkdtempSync(join(tmpdir(), "tofumerge-e2e-"));
  const folder = join(home, "shop");
  cpSync("../../testdata/modules/web", join(folder, "web"), { recursive: true });
  const server = new CodeServer(CODE_SERVER, home);
  const prepared = scenario.prepare?.({ folder, home });
  server.settings({
    "workbench.colorTheme": scenario.light ? "Default Light Modern" : "Default Dark Modern",
    "workbench.startupEditor": "none",
    "security.workspace.trust.enabled": false,
    "files.autoSave": "off",
    "editor.minimap.enabled": false,
    "window.commandCenter": false,
    "chat.disableAIFeatures": true,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "tofumerge.path": TOFUMERGE,
    ...scenario.settings,
    ...prepared,
  });
  if (!scenario.plain && !scenario.beside) installLanguage(server, scenario.tokens);
  try {
    if (scenario.beside) server.install(resolve(BESIDE));
    server.install(resolve("tofumerge.vsix"));
    await server.start();
    const window = await Window.open(server, folder, browser);
    const shot = (name) => window.page.screenshot({ path: join(shots, `${scenario.name}-${name}.png`) });
    try {
      await scenario.body({ window, folder, home, shot });
    } catch (error) {
      await shot("failed");
      throw error;
    } finally {
      await window.page.close();
    }
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const only = ONLY ? ONLY.split(",") : undefined;
let failed = 0;
const browser = await launchBrowser(CHROMIUM);
try {
  for (const scenario of scenarios.filter((s) => !only || only.includes(s.name))) {
    if (scenario.beside && !BESIDE) {
      console.log(`skipped ${scenario.name}: BESIDE is not set`);
      continue;
    }
    try {
      await tryOut(scenario, browser);
      console.log(`ok      ${scenario.name}: ${scenario.what}`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${scenario.name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
}
process.exit(failed > 0 ? 1 : 0);
