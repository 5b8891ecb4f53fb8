// Package engine names the programs that read the configuration language, their
// releases, and sets of releases.
//
// In go texts such as "opentofu@1.9"; out come releases and sets of releases:
// membership, the observed release that an unobserved one is taken to behave like, and
// descriptions for people. Names of unknown products, texts that are no versions, and
// releases older than all that were observed are refused.
//
// What is known of a product is one row of the table products. The package knows
// nothing of the language: what a release allows is said by package language, what it
// merges by package merge, both in terms of Releases.
//
// To add an engine, add a row. One that goes by the version numbers and the rules of
// another product, as a fork does at first, names the constraints of that product:
//
//	{
//		name:        "fork",
//		title:       "Fork",
//		observed:    []Version{"1.12.0"},
//		constraint:  func(s Releases) string { return s.OpenTofu },
//		tofuFiles:   ">= 1.8",
//		registry:    "registry.example.org",
//		versionFile: ".fork-version",
//	},
//
// One with rules of its own gets a field in Releases, which its row returns, and which
// the tables of package language and package merge then state.
package engine
