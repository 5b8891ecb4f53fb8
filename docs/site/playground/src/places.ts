// Locations in texts, as links into the editor.
import { element } from "./dom";

/** Whether the module has a file of a name. */
export type HasFile = (name: string) => boolean;

/** A text in which each FILE:LINE of the module is a button, whose click the page handles. */
export function withPlaces(text: string, hasFile: HasFile): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const found of text.matchAll(/([^\s:"'(),[\]]+):(\d+)/g)) {
    const [whole, file = "", line = ""] = found;
    if (!hasFile(file)) {
      continue;
    }
    parts.push(text.slice(at, found.index), placeButton(whole, file, line));
    at = found.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts.filter((p) => p !== "");
}

function placeButton(text: string, file: string, line: string): HTMLElement {
  return element("button", { type: "button", class: "place", "data-file": file, "data-line": line, title: "Show in the editor" }, text);
}
