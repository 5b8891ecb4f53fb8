// The dialogs: names of files, and the link that holds the module.
import { byId } from "./dom";

/** Asks for a name until refuse has no objection. It returns undefined if nobody wants to give one. */
export function askName(title: string, ok: string, name: string, refuse: (name: string) => string): Promise<string | undefined> {
  const dialog = byId("name-dialog", HTMLDialogElement);
  const input = byId("name", HTMLInputElement);
  const error = byId("name-error", HTMLElement);
  byId("name-title", HTMLElement).textContent = title;
  byId("name-ok", HTMLElement).textContent = ok;
  input.value = name;
  error.textContent = "";
  input.removeAttribute("aria-invalid");
  return new Promise((resolve) => {
    let given: string | undefined;
    byId("name-form", HTMLFormElement).onsubmit = (event) => {
      event.preventDefault();
      const wanted = input.value.trim();
      error.textContent = refuse(wanted);
      if (error.textContent !== "") {
        input.setAttribute("aria-invalid", "true");
        input.focus();
        return;
      }
      given = wanted;
      dialog.close();
    };
    byId("name-cancel", HTMLElement).onclick = () => {
      dialog.close();
    };
    dialog.addEventListener("close", () => {
      resolve(given);
    }, { once: true });
    dialog.showModal();
    const stem = name.lastIndexOf("/") + 1;
    input.setSelectionRange(stem, name.includes(".", stem) ? name.indexOf(".", stem) : name.length);
  });
}

/** Some programs cut longer links. */
const longLink = 8000;

/** Tells what a link holds, and makes it if the user still wants it. */
export function share(files: number, bytes: number, make: () => Promise<string | undefined>): void {
  const dialog = byId("share-dialog", HTMLDialogElement);
  const link = byId("link", HTMLInputElement);
  const done = byId("share-done", HTMLElement);
  const [makeButton, copyButton] = [byId("share-make", HTMLButtonElement), byId("share-copy", HTMLButtonElement)];
  byId("share-text", HTMLElement).textContent =
    `The link holds the whole source of ${files === 1 ? "the file" : `all ${files} files`} (${Math.ceil(bytes / 1024)} KB). Everybody who gets it can read them, ` +
    "passwords included. Browsers don't send this part of a link to servers, but chats and mail programs keep it.";
  link.value = "";
  byId("made", HTMLElement).hidden = true;
  done.textContent = "";
  [makeButton.hidden, copyButton.hidden] = [false, true];
  makeButton.onclick = async () => {
    const made = await make();
    if (made === undefined) {
      done.textContent = "The module is too large for a link.";
      return;
    }
    link.value = made;
    byId("made", HTMLElement).hidden = false;
    [makeButton.hidden, copyButton.hidden] = [true, false];
    copyButton.focus();
    done.textContent = link.value.length > longLink ? `The link has ${link.value.length} characters. Some programs cut links that long.` : "The link is ready.";
  };
  copyButton.onclick = async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      done.textContent = "Copied.";
    } catch {
      done.textContent = "The browser doesn't let the page copy. Press Ctrl+C.";
    }
  };
  byId("share-close", HTMLElement).onclick = () => {
    dialog.close();
  };
  dialog.showModal();
}
