import assert from "node:assert/strict";
import { test } from "node:test";
import { initializationOptions, readSettings } from "../src/settings";
import { manifest } from "./manifest";

const declared = manifest.contributes.configuration.properties;

test("every setting that is read is declared, with the same default", () => {
  const asked = new Set<string>();
  const fallbacks = readSettings((name) => void asked.add(name));
  const defaults = readSettings((name) => declared[`tofumerge.${name}`]?.default);
  assert.deepEqual(fallbacks, defaults);
  for (const name of asked) {
    assert.ok(`tofumerge.${name}` in declared, `${name} is read and not declared`);
  }
  // vscode-languageclient reads the last one.
  assert.deepEqual([...asked].map((name) => `tofumerge.${name}`).concat("tofumerge.trace.server"), Object.keys(declared));
});

test("values of a wrong type count as none", () => {
  const odd: Record<string, unknown> = { path: 3, engine: null, minSeverity: "fatal", "codeLens.enabled": "no" };
  assert.deepEqual(readSettings((name) => odd[name]), readSettings(() => undefined));
});

test("blanks around a path don't count", () => {
  assert.equal(readSettings((name) => (name === "path" ? " /opt/tofumerge " : undefined)).path, "/opt/tofumerge");
  assert.equal(readSettings((name) => (name === "path" ? "  " : undefined)).path, "");
});

test("the server hides values if the setting says so", () => {
  const settings = readSettings((name) => (name === "redact" ? true : undefined));
  assert.equal(initializationOptions(settings)["redact"], true);
  assert.equal(initializationOptions(readSettings(() => undefined))["redact"], false);
});

test("the server chooses the engine if no setting does", () => {
  const settings = readSettings(() => undefined);
  assert.ok(!("engine" in initializationOptions(settings)));
  assert.equal(initializationOptions({ ...settings, engine: "terraform@1.9" })["engine"], "terraform@1.9");
});
