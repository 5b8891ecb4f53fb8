import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveJSONLanguage, effectiveLanguage, isConfiguration, isIn, isOverride, languageOf, paramsOf, partsOf, shownBy } from "../src/effective";

test("the name of a document says what it shows", () => {
  const module = { source: "file:///src/shop/my%20web/main.tf", single: false };
  const parts = partsOf(module, "/src/shop/my web/main.tf");
  assert.equal(parts.path, "/effective: my web");
  assert.deepEqual(shownBy(parts.query), module);

  const file = { source: "file:///src/shop/web/a&b=%23%3F.tf", single: true };
  const single = partsOf(file, "/src/shop/web/a&b=#?.tf");
  assert.equal(single.path, "/effective: a&b=#?.tf");
  assert.deepEqual(shownBy(single.query), file);
});

test("a module at the root of the file system has a name", () => {
  assert.equal(partsOf({ source: "file:///main.tf", single: false }, "/main.tf").path, "/effective: /");
});

test("other documents show nothing", () => {
  for (const query of ["", "module=", "source=file:///a", "module=%"]) {
    assert.equal(shownBy(query), undefined, query);
  }
});

test("files of configuration", () => {
  for (const name of ["a.tf", "a.tofu", "a.tf.json", "a.tofu.json", "/x.y/.tf"]) {
    assert.ok(isConfiguration(name), name);
  }
  for (const name of ["a.tfvars", "a.json", "a.tftest.hcl", "a.tf.md", "tf"]) {
    assert.ok(!isConfiguration(name), name);
  }
});

test("override files", () => {
  for (const name of ["/a/override.tf", "/a/b_override.tofu", "_override.tf.json", "override.tofu.json"]) {
    assert.ok(isOverride(name), name);
  }
  for (const name of ["/override/main.tf", "a-override.tf", "override_a.tf", "xoverride.tf", "Override.tf", "a_override.tfvars"]) {
    assert.ok(!isOverride(name), name);
  }
});

test("files in a directory", () => {
  assert.ok(isIn("/src/web/main.tf", "/src/web"));
  assert.ok(isIn("/src/web/main.tf", "/src/web/"));
  assert.ok(isIn("/main.tf", "/"));
  assert.ok(!isIn("/src/web/main.tf", "/src"));
  assert.ok(!isIn("/src/web2/main.tf", "/src/web"));
});

test("texts with marks have languages of their own", () => {
  assert.equal(languageOf({ source: "file:///a/main.tf", single: false }, "terraform"), effectiveLanguage);
  assert.equal(languageOf({ source: "file:///a/main.tf", single: true }, "terraform"), "terraform");
  assert.equal(languageOf({ source: "file:///a/main.tf.json", single: false }, "json"), effectiveJSONLanguage);
});

test("a module of JSON is shown in JSON", () => {
  assert.equal(paramsOf({ source: "file:///a/main.tf.json", single: false }).format, "json");
  assert.deepEqual(paramsOf({ source: "file:///a/main.tf", single: true }), {
    textDocument: { uri: "file:///a/main.tf" },
    format: "native",
    file: true,
  });
});
