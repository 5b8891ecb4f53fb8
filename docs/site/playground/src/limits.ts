// What the page takes, from a link, a folder or a person.
export const maxFiles = 200;
export const maxFileBytes = 4 << 20;
export const maxBytes = 8 << 20; // of all files together
export const maxLink = 4 << 20; // characters
export const timeLimit = 10_000; // milliseconds for an answer
// What ?limit=N in the address may change the time limit to.
export const leastTimeLimit = 100;
export const mostTimeLimit = 60_000;

/** Explains why a path can't be a file of the module; empty if it can. */
export function refusePath(path: string): string {
  const parts = path.split("/");
  if (path === "") {
    return "Give the file a name.";
  }
  if (path.length > 200) {
    return "The name is longer than 200 characters.";
  }
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return "Write the path without empty parts, . and ..";
  }
  return "";
}
