// Package jsonsyntax reads JSON configuration as native items.
//
// Given a file of JSON, it returns its native text and the items of that text, each with the range
// of the JSON text that it is from. Whether a property is an argument or a nested block is decided
// here, once, by a Classifier: by the provider's schema, by the evidence of other files of the
// module, or by the look of the value, which is a guess that Guesses reports. Anything that native
// syntax can't express is recorded as inexpressible.
//
// Files are handled in two steps, since evidence is needed from all of them: Read parses a file and
// collects its evidence, File.Translate makes native text and items.
//
// Package jsontree reads the text, and package providerschema the schemas. Text that is not JSON is
// refused with its range and a hint.
package jsonsyntax
