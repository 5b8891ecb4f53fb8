import assert from "node:assert/strict";
import { test } from "node:test";
import { originsIn } from "../src/origins";

const shown = (line: string): string[] => originsIn(line).map((o) => `${line.slice(o.start, o.end)} ${o.file} ${String(o.line)}`);

test("the places of a mark", () => {
  assert.deepEqual(shown('  a = 1 # override: b_override.tf:3 (was 2 at main.tf:4)'), [
    "b_override.tf:3 b_override.tf 3",
    "main.tf:4 main.tf 4",
  ]);
  assert.deepEqual(shown("  # no effect: a_override.tf:7 enabled = false"), ["a_override.tf:7 a_override.tf 7"]);
  assert.deepEqual(shown("  #   main.tf.json:15)"), ["main.tf.json:15 main.tf.json 15"]);
  assert.deepEqual(shown("# override: ../shared/x_override.tofu:7"), ["../shared/x_override.tofu:7 ../shared/x_override.tofu 7"]);
});

test("nothing elsewhere", () => {
  assert.deepEqual(shown('  source = "main.tf:4"'), []);
  assert.deepEqual(shown("  # see main.tf:4"), []);
});
