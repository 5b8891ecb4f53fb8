import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "./layout.mjs";

const editor = (...lines) => [{ part: "editor", box: [0, 0, 100, 100], lines }];
const lens = (text, left = 10) => [{ part: "lens", box: [left, 20, 100, 16], text }];

test("the same parts have no differences", () => {
  assert.deepEqual(differences(lens("1 override"), lens("1 override", 20)), []);
});

test("another text, place or number of parts is a difference", () => {
  assert.deepEqual(differences(lens("1 override"), lens("2 overrides")), ["- lens: 1 override", "+ lens: 2 overrides"]);
  assert.deepEqual(differences(lens("a"), lens("a", 50)), ["- lens at 10,20,100,16", "+ lens at 50,20,100,16: a"]);
  assert.deepEqual(differences(lens("a"), []), ["- lens: a", "+ nothing"]);
});

test("lines may be wrapped at other words", () => {
  assert.deepEqual(differences(editor("a = 1", "# b c", "d"), editor("a = 1", "# b", "  c")), []);
  assert.equal(differences(editor("a = 1"), editor("a = 2")).length, 2);
  assert.equal(differences(editor("abc"), editor("a")).length, 2);
});
