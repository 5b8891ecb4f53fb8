// Colours for native syntax: comments, strings, names of blocks and arguments. JSON gets those of
// its strings, numbers and words.
import { StreamLanguage, type StringStream } from "@codemirror/language";

interface State {
  heredoc: string; // the word that ends it; empty outside of one
  isComment: boolean; // of several lines
}

function token(stream: StringStream, state: State): string | null {
  if (state.heredoc !== "") {
    if (stream.string.trim() === state.heredoc) {
      state.heredoc = "";
    }
    stream.skipToEnd();
    return "string";
  }
  if (state.isComment) {
    state.isComment = !stream.match(/.*?\*\//);
    if (state.isComment) {
      stream.skipToEnd();
    }
    return "comment";
  }
  if (stream.eatSpace()) {
    return null;
  }
  if (stream.match("/*")) {
    state.isComment = true;
    return "comment";
  }
  if (stream.match(/^(#|\/\/).*/)) {
    return "comment";
  }
  const heredoc = stream.match(/^<<-?([\p{L}_][\p{L}\p{N}_-]*)\s*$/u);
  if (heredoc && heredoc !== true) {
    state.heredoc = heredoc[1] ?? "";
    return "string";
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
    return stream.match(/^\s*[=:]/, false) ? "propertyName" : "string";
  }
  if (stream.match(/^\d[\d.]*(?:[eE][+-]?\d+)?/)) {
    return "number";
  }
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u);
  if (word && word !== true) {
    return wordToken(stream, word[0]);
  }
  stream.next();
  return null;
}

function wordToken(stream: StringStream, word: string): string | null {
  if (["true", "false", "null"].includes(word)) {
    return "atom";
  }
  if (stream.match(/^\s*=(?![=>])/, false)) {
    return "propertyName";
  }
  return stream.match(/^(?:\s+"[^"]*")*\s*\{/, false) ? "keyword" : null;
}

export const hcl = StreamLanguage.define<State>({
  name: "hcl",
  startState: () => ({ heredoc: "", isComment: false }),
  token,
  languageData: { commentTokens: { line: "#", block: { open: "/*", close: "*/" } } },
});
