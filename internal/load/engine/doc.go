// Package engine names engines and their releases, and sets of releases.
//
// In go texts such as "opentofu@1.9"; out come releases that can be asked what they
// follow, and sets that can be asked whether they have one and be put into words.
// What is known of a product, its name, its releases and its registry, is data in
// one table. The package knows nothing of the language: what a release allows is
// said by package language.
package engine
