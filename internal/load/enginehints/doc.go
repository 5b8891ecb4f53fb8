// Package enginehints reads from files beside a module which engine runs it: those of version
// managers, and the lock file.
//
// In goes the text of a .tool-versions, a mise.toml or a .terraform.lock.hcl; out come the
// products that it names, each with what it says of the release. A text that names no
// product is no evidence; only malformed TOML is an error. Which file counts, and what is
// followed where several products are named, is up to the caller.
package enginehints
