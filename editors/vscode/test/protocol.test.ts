import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "../src/protocol";

const range = { start: { line: 6, character: 2 }, end: { line: 6, character: 15 } };
const position = { line: 8, character: 0 };

test("the places of a code lens", () => {
  const location = { uri: "file:///src/local_override.tf", range };
  assert.deepEqual(placesOf(["file:///src/main.tf", position, [location]]), {
    uri: "file:///src/main.tf",
    position,
    locations: [location],
  });
});

test("arguments that no code lens has", () => {
  assert.equal(placesOf([]), undefined);
  assert.equal(placesOf([3, position, []]), undefined);
  assert.equal(placesOf(["file:///a", { line: -1, character: 0 }, []]), undefined);
  assert.equal(placesOf(["file:///a", position, "all"]), undefined);
  assert.deepEqual(placesOf(["file:///a", position, [null, {}, { uri: "file:///b" }]])?.locations, []);
});
