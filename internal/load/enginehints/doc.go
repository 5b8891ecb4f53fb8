// Package enginehints reads from files beside a module which engine runs it: the files of version
// managers, and the lock file.
//
// Given the text of a .tool-versions, a mise.toml or a .terraform.lock.hcl, it returns the products
// named there, each with the release as it was written. A text that names no product isn't
// evidence; only malformed TOML is an error. The caller decides which file is used, and which
// product if several are named.
package enginehints
