import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { manifest, type Matcher } from "./manifest";

/** What `tofumerge check -r . --deny-overrides` prints in test/testdata/modules. A test of the program keeps it. */
const report = readFileSync("test/testdata/check.txt", "utf8").split("\n");

/** What a matcher finds in a line, by the names of its groups. */
function found(name: string, line: string): Record<string, string | undefined> | undefined {
  const matcher = manifest.contributes.problemMatchers.find((m): m is Matcher => m.name === name);
  assert.ok(matcher);
  const groups = new RegExp(matcher.pattern.regexp).exec(line);
  if (groups === null) {
    return undefined;
  }
  const numbers = Object.entries(matcher.pattern).filter(([, group]) => typeof group === "number");
  return Object.fromEntries(numbers.map(([key, group]) => [key, groups[group as number]]));
}

test("every finding is matched by one matcher", () => {
  const findings = report.filter((line) => line.includes("]"));
  assert.equal(findings.length, 7);
  for (const line of findings) {
    const places = [found("tofumerge", line), found("tofumerge-file", line)].filter((f) => f !== undefined);
    assert.equal(places.length, 1, line);
    const [f] = places;
    assert.equal(line.replace(/:\d+:\d+(?=: (error|warning|notice))/, ""), `${f?.["file"] ?? ""}: ${f?.["severity"] ?? ""}: ${f?.["message"] ?? ""} [${f?.["code"] ?? ""}]`);
  }
});

test("nothing else is matched", () => {
  for (const line of report.filter((l) => !l.includes("]"))) {
    assert.equal(found("tofumerge", line), undefined, line);
    assert.equal(found("tofumerge-file", line), undefined, line);
  }
});

test("a finding about a line", () => {
  assert.deepEqual(found("tofumerge", report.find((line) => line.includes("encrypted")) ?? ""), {
    file: "web/local_override.tf",
    line: "4",
    column: "3",
    severity: "warning",
    message: "This block replaces the one at main.tf:4 and drops encrypted. Repeat it here to keep it.",
    code: "block-replace-drops-arguments",
  });
});

test("a finding about a file", () => {
  assert.deepEqual(found("tofumerge-file", report.find((line) => line.includes("near-miss")) ?? ""), {
    file: "my vpc/c.tf.override",
    severity: "warning",
    message: "No engine reads c.tf.override. If it is meant to override, rename it to c_override.tf.",
    code: "near-miss-filename",
  });
});

test("a line that a terminal wrapped, and a file with digits in its name", () => {
  const wrapped = "a dir (x)/x: 3:4_override.tf:5:1: error: An argument or block definition is";
  assert.deepEqual(found("tofumerge", wrapped), {
    file: "a dir (x)/x: 3:4_override.tf",
    line: "5",
    column: "1",
    severity: "error",
    message: "An argument or block definition is",
    code: undefined,
  });
});

test("a notice has the severity of the matcher, because VS Code doesn't know the word", () => {
  for (const matcher of manifest.contributes.problemMatchers) {
    assert.equal(matcher.severity, "info");
  }
});
