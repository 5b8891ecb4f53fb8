import assert from "node:assert/strict";
import { test } from "node:test";
import { Survey, restText } from "../src/survey";

const at = (path: string) => ({ path, toString: () => `file://${path}` });
const report = (path: string, n: number, resultId = "1") => ({ uri: at(path), kind: "full", items: [...Array.from({ length: n }, () => ({ severity: 1 })), ...Array.from({ length: n }, () => ({ severity: 3 }))], resultId });
type Report = ReturnType<typeof report>;

test("findings of modules without an open file are counted, and listed on request", () => {
  const survey = new Survey<Report["uri"], Report>();
  survey.take([report("/a/override.tf", 2), report("/b/override.tf", 1), report("/b/z_override.tf", 3), report("/c/main.tf", 0)]);
  assert.deepEqual(survey.changes(["/a/main.tf"]).map(({ uri, items }) => [uri.path, items.length]), [["/a/override.tf", 4]]);
  assert.deepEqual(survey.rest(["/a/main.tf"]), { findings: 4, modules: 1 });
  assert.deepEqual(survey.changes(["/a/main.tf"]), [], "nothing is listed twice");
  assert.deepEqual(survey.results().map(({ value }) => value), ["1", "1", "1"]);

  // Another module is opened, and the first one closed.
  assert.deepEqual(survey.changes(["/b/x.tf"]).map(({ uri, items }) => [uri.path, items.length]), [["/a/override.tf", 0], ["/b/override.tf", 2], ["/b/z_override.tf", 6]]);

  // A finding is corrected, and one is unchanged.
  survey.take([report("/b/override.tf", 0), { uri: at("/b/z_override.tf"), kind: "unChanged", resultId: "1" } as unknown as Report]);
  assert.deepEqual(survey.changes(["/b/x.tf"]).map(({ uri, items }) => [uri.path, items.length]), [["/b/override.tf", 0]]);

  survey.isAll = true;
  assert.deepEqual(survey.changes([]).map(({ uri }) => uri.path), ["/a/override.tf"]);
  assert.deepEqual(survey.rest([]), { findings: 0, modules: 0 });
});

test("the status bar shows how many there are", () => {
  assert.equal(restText({ findings: 0, modules: 0 }), undefined);
  assert.equal(restText({ findings: 1, modules: 1 })?.tooltip, "1 finding of tofumerge in 1 module without an open file. Click to list them.");
  assert.equal(restText({ findings: 52, modules: 51 })?.text, "$(warning) 52 elsewhere");
});
