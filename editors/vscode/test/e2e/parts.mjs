// What the scenarios look at in a window.

const active = ".editor-group-container.active .monaco-editor .view-lines";
export const hints = `${active} .view-line`;
export const problems = ".markers-panel .monaco-list-row";
export const messages = ".notifications-toasts .notification-list-item-message";

/** Reads the text of the editor group at an index, from the left. */
export const group = (index) => `.editor-instance >> nth=${index}`;

export async function textOf(window, index) {
  const lines = await window.page.locator(group(index)).locator(".view-line").evaluateAll((list) =>
    list
      .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
      .map((line) => line.textContent.replaceAll("\u00a0", " "))
      .join("\n"),
  );
  return lines;
}

/** Waits for the hints and the lines above blocks of main.tf. */
export async function annotated(window) {
  await window.sees(hints, /← .*local_override\.tf:7/);
  await window.sees(".contentWidgets", /_override\.tf: /);
}
