// Package sidefiles knows the files that an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of them takes part in
// the merge.
//
// It tells their roles by their names, and reads nothing. From the text of a version manager's file or of a lock file it
// reads which engine runs the module; the caller decides which of these files counts.
package sidefiles

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// LockedBy lists the products whose registries a dependency lock file names as the hosts of
// providers. Init writes its own engine's host for a source address without one. The host of
// neither product is no evidence.
//
// The text is read line by line and not parsed: init writes each header on a separate line, and
// this is done in every run.
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

// ToolVersions reads a .tool-versions file. The first version of a line wins, and the first line
// for a tool. https://asdf-vm.com/manage/configuration.html
func ToolVersions(text []byte) (list []Tool) {
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		words := append(strings.Fields(string(line)), "", "")
		product := engine.Product(words[0])
		if slices.Contains(engine.Products(), product) && !slices.Contains(Products(list), product) {
			list = append(list, Tool{product, words[1]})
		}
	}
	return list
}

// Products lists the products of tools.
func Products(tools []Tool) (list []engine.Product) {
	for _, t := range tools {
		list = append(list, t.Product)
	}
	return list
}

// maxVersion is how many bytes of a version are parsed at most.
const maxVersion = 200

// Release returns the release that a tool means, and what had to be assumed to find it: a clause such as ",
// which names no release; the newest known", or "". It is certain unless the file names a release that is
// too old to be known.
func (t Tool) Release() (release engine.Release, assumed string, isCertain bool) {
	wanted := t.Wanted
	for _, prefix := range []string{"prefix:", "latest:"} {
		wanted = strings.TrimPrefix(wanted, prefix)
	}
	if release, err := t.Product.Release(wanted); err == nil && len(wanted) <= maxVersion {
		return release, "", true
	}
	if _, err := version.NewVersion(wanted); err != nil || len(wanted) > maxVersion {
		return t.Product.Newest(), ", which names no release; the newest known", true
	}
	return t.Product.Oldest(), ", whose release is too old to be known; the oldest known release", false
}
