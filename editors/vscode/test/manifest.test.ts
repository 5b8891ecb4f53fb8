import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { effectiveJSONLanguage, effectiveLanguage } from "../src/effective";
import { manifest } from "./manifest";

test("the extension leaves to others what others define", () => {
  const taken = ["keybindings", "snippets", "semanticTokenScopes", "themes"];
  assert.deepEqual(Object.keys(manifest.contributes).filter((key) => taken.includes(key)), []);
  const { languages, grammars, configurationDefaults } = manifest.contributes;
  const own = [effectiveLanguage, effectiveJSONLanguage];
  assert.deepEqual(languages.map(({ id, extensions, filenames }) => [id, extensions, filenames]), own.map((id) => [id, undefined, undefined]));
  assert.deepEqual(grammars.map(({ language }) => language), own);
  assert.ok(grammars.every(({ scopeName }) => scopeName.startsWith("source.tofumerge.")));
  assert.deepEqual(Object.keys(configurationDefaults), own.map((id) => `[${id}]`));
});

test("nothing but a module starts the extension", () => {
  for (const event of manifest.activationEvents) {
    assert.match(event, /^(workspaceContains:\*\*\/\*\.(tf|tofu)(\.json)?|onLanguage:(terraform|opentofu))$/);
  }
});

test("an untrusted workspace can't choose the program", () => {
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes("tofumerge.path"));
  assert.equal(manifest.contributes.configuration.properties["tofumerge.path"]?.scope, "machine-overridable");
});

test("every declared command is implemented", () => {
  const source = ["src/commands.ts", "src/extension.ts"].map((path) => readFileSync(path, "utf8")).join("");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`registerCommand("${command}"`), `${command} isn't registered`);
  }
});

test("the README has every setting with its default, and every command", () => {
  const readme = readFileSync("README.md", "utf8");
  for (const [name, { default: value }] of Object.entries(manifest.contributes.configuration.properties)) {
    const shown = value === "" ? "" : `\`${String(value)}\``;
    assert.ok(readme.includes(`| \`${name}\` | ${shown}`), `${name} with its default ${shown}`);
  }
  for (const { category, title } of manifest.contributes.commands) {
    assert.ok(readme.includes(`**${category}: ${title}**`), title);
  }
});
