// Package editor analyses modules for the language server: it finds the findings of check, in the
// texts that an editor has open, and edits that are proved by merging again.
//
// From the flags of the server and the settings of an editor, an Analyst makes views of modules. It
// caches expensive results between analyses, and prints nothing.
package editor
