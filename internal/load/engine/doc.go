// Package engine names the programs that read the configuration language, their releases, and sets
// of releases.
//
// Given texts such as "opentofu@1.9", it returns releases and sets of releases: membership, the
// observed release that an unobserved one is taken to behave like, and descriptions for people. It
// refuses names of unknown products, texts that aren't versions, and releases older than every
// observed one.
//
// Each product is one row of the table products. The package doesn't know the language: package
// language states what a release allows, and package merge what it merges, both in terms of
// Releases.
//
// To add an engine, add a row. An engine that follows the version numbers and the rules of another
// product, as a fork does at first, names the constraints of that product:
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
// An engine with separate rules gets a field in Releases, which its row returns, and which the
// tables of package language and package merge then state.
package engine
