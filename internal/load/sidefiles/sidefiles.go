// Package sidefiles knows the files that an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of them takes part in
// the merge.
//
// It tells their roles by their names, and reads nothing. From the text of a version manager's file or of a lock file it
// reads which engine runs the module; the caller decides which of these files counts.
package sidefiles

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/pelletier/go-toml/v2"
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

// A Tool is an engine requested from a version manager.
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
		list = add(list, words[0], words[1])
	}
	return list
}

// Mise reads the tools of a mise.toml. The error locates the text that isn't TOML without quoting
// it. https://mise.jdx.dev/configuration.html
func Mise(text []byte) ([]Tool, error) {
	var config struct {
		Tools any `toml:"tools"`
	}
	if err := toml.Unmarshal(text, &config); err != nil {
		if broken := (*toml.DecodeError)(nil); errors.As(err, &broken) {
			line, _ := broken.Position()
			return nil, fmt.Errorf("line %d is not valid TOML", line)
		}
		return nil, errors.New("it is not valid TOML")
	}
	tools, _ := config.Tools.(map[string]any)
	var list []Tool
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		list = add(list, name, miseVersion(tools[name]))
	}
	return list, nil
}

// miseVersion is the version requested by a value in [tools]: a string, a table with a version, or
// a list of these, of which the first is used.
func miseVersion(value any) string {
	if several, ok := value.([]any); ok && len(several) > 0 {
		value = several[0]
	}
	if options, ok := value.(map[string]any); ok {
		value = options["version"]
	}
	wanted, _ := value.(string)
	return strings.TrimSpace(wanted)
}

// add adds a tool that is an engine, unless the list has it already.
func add(list []Tool, name, wanted string) []Tool {
	product, ok := productOf(name)
	if !ok || slices.Contains(Products(list), product) {
		return list
	}
	return append(list, Tool{product, wanted})
}

// Products lists the engines that tools are.
func Products(tools []Tool) (list []engine.Product) {
	for _, t := range tools {
		list = append(list, t.Product)
	}
	return list
}

// backends lists the backends of mise that install programs by the names of their projects.
var backends = []string{"aqua", "asdf", "github", "gitlab", "http", "ubi", "vfox"}

// productOf is the engine that a tool is: "opentofu", "aqua:opentofu/opentofu",
// "asdf:someone/asdf-opentofu", "ubi:opentofu/opentofu[exe=tofu]".
func productOf(name string) (engine.Product, bool) {
	name, _, _ = strings.Cut(name, "[")
	if backend, rest, ok := strings.Cut(name, ":"); ok {
		if !slices.Contains(backends, backend) {
			return "", false
		}
		name = rest[strings.LastIndexByte(rest, '/')+1:]
		name = strings.TrimPrefix(strings.TrimPrefix(name, backend+"-"), "mise-")
	}
	product := engine.Product(name)
	return product, slices.Contains(engine.Products(), product)
}

// maxVersion is how many bytes a version has at most.
const maxVersion = 200

// Release is the release that a tool means, and what had to be assumed to find it: a
// clause such as ", which names no release; the newest known", or "". It is certain unless
// the file names a release that is too old to be known.
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
