// Package jsonsyntax reads JSON configuration as native items.
//
// In goes a file of JSON; out come its native text and the items of that text, each
// of which remembers the JSON text that it is from. Whether a property is an argument
// or a nested block is decided here, once: by the provider's schema, by the usage in
// other files of the module, or by the look of the value, which is a guess that the
// caller can ask for. What native syntax has no way to say is a doubt of the file.
//
// Nothing is decoded that nobody asks for, so that no digit, no duplicate and no
// order gets lost. Text that is no JSON is refused with the place and a hint.
package jsonsyntax
