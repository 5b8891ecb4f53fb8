// Command watch asks engines whether they do as the tables claim.
//
//	go run ./.ci/watch                       the releases that the tables don't know
//	go run ./.ci/watch opentofu@1.13.0       these releases
//
// Without names, the tags of the engines' repositories name the releases: of each minor version the
// newest one, prereleases included, unless the tables know it or a newer one. A list of tags without
// a release that the tables know is an error.
//
// It builds each release from its source, which is a Go module, in a temporary directory, with the
// version of Go that the module requires. Then the tests called TestLive ask the program about the
// modules in testdata: as they are, and as tofumerge prints them for the release. Terraform is built
// without the backends that are modules of their own.
//
// The report names the module of each difference, the rules that are about it, what the tables claim,
// which is what the known release does, and what this one does. It also lists the rules about which
// no module lets the engine be asked. If nothing differs, it ends with a patch that adds the release
// to the tables.
//
// The status is 0 if nothing differs, 1 if something does, and 2 after an error.
package main
