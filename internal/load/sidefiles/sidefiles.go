// Package sidefiles knows the files that an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of them takes part in
// the merge.
//
// It tells their roles by their names, and reads nothing. From the text of a version manager's file or of a lock file
// it reads which engine runs the module; the caller decides which of these files counts.
package sidefiles

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// LockedBy returns the products that a dependency lock file is evidence of: those whose registries are hosts in the
// addresses of providers. Init adds its own registry's host to a source address without one. A file may name other
// hosts only, and then tells nothing.
//
// The text is read line by line and not parsed: init writes each header on a separate line, and this is done in every
// run.
func LockedBy(text []byte) (list []engine.Product) {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("provider"))
		if !ok {
			continue
		}
		address, ok := bytes.CutPrefix(bytes.TrimSpace(rest), []byte(`"`))
		host, _, isAddress := bytes.Cut(address, []byte("/"))
		if !ok || !isAddress {
			continue
		}
		for _, p := range engine.Products() {
			if strings.EqualFold(p.Registry(), string(host)) && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// A Tool is an engine that a file requests from a version manager.
type Tool struct {
	Product engine.Product
	// Wanted is the version as the file has it. It may be a path, a pattern or empty.
	Wanted string
}

// ToolVersions returns the engines that a .tool-versions file requests. Of several versions in a line, the first
// counts, and of several lines for an engine, the first. https://asdf-vm.com/manage/configuration.html
func ToolVersions(text []byte) (list []Tool) {
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		words := append(strings.Fields(string(line)), "", "") // two words at least
		product := engine.Product(words[0])
		if slices.Contains(engine.Products(), product) && !slices.Contains(Products(list), product) {
			list = append(list, Tool{product, words[1]})
		}
	}
	return list
}

// Products returns the products of tools.
func Products(tools []Tool) (list []engine.Product) {
	for _, t := range tools {
		list = append(list, t.Product)
	}
	return list
}

// maxVersion is how many bytes of a version are parsed at most.
const maxVersion = 200

// Release returns the release that a tool requests. If that isn't a known release, assumed is a clause for messages,
// such as ", which names no release; the newest known", and otherwise "": a text that isn't a version, such as a
// pattern, stands for the newest release. isCertain is false only if the file names a release that is too old to be
// known, so that its behaviour may differ from that of the oldest known one, which Release then returns.
func (t Tool) Release() (release engine.Release, assumed string, isCertain bool) {
	wanted := t.Wanted
	for _, prefix := range []string{"prefix:", "latest:"} {
		wanted = strings.TrimPrefix(wanted, prefix)
	}
	if release, err := t.Product.Release(wanted); err == nil && len(wanted) <= maxVersion {
		return release, "", true
	}
	// The text isn't a version, or one before the oldest known release.
	if _, err := version.NewVersion(wanted); err != nil || len(wanted) > maxVersion {
		return t.Product.Newest(), ", which names no release; the newest known", true
	}
	return t.Product.Oldest(), ", whose release is too old to be known; the oldest known release", false
}
