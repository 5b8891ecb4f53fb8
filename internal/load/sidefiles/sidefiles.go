// Package sidefiles finds the files that an engine loads for the directory of a module besides its
// configuration: test files, variables files, the lock file and others. None of them takes part in
// the merge.
//
// Given a directory and a release, it returns the names of the files, each with its role and its
// treatment by the release. It reads nothing but the names in the directory and in the directory of
// tests. From the text of a version manager's file or of a lock file it reads which engine runs the
// module; the caller decides which of these files counts.
package sidefiles

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/pelletier/go-toml/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Status is a release's treatment of a file.
type Status string

// The statuses.
const (
	Read      Status = "read"       // loaded, by the commands that it is for
	OnRequest Status = "on_request" // loaded only if requested by the option that File.Needs names
	Shadowed  Status = "shadowed"   // superseded by File.By
	Unread    Status = "not_read"   // other releases load it
)

// A File is one name.
type File struct {
	Name   string // relative to the module, with slashes
	Role   Role
	Status Status
	Syntax source.Syntax
	Order  int             // of variables: numbers the loaded ones from 1; those of tests come last
	Needs  string          // an option of the engine, or a type of block
	By     string          // the name that shadows it
	In     engine.Releases // that load it

	kind kind
}

// IsLookedFor reports whether engines look for a file of that name before they read it, so that a
// broken link is skipped.
func (f File) IsLookedFor() bool { return f.kind.name != "" }

// Files are the files of a directory.
type Files struct {
	List []File // by role; variables in load order, others by name, those of tests last
	// Tests is the reason why the directory of tests could not be listed; nil also if there is
	// none.
	Tests error
	// Outside is set if the directory of tests is a link that points outside and wasn't listed.
	Outside bool
}

// Find lists the files of the module in a directory as a release sees them. escapesRepo reports
// whether a path points outside the directories that may be read; it may be nil. The error is about
// the directory itself.
func Find(dir string, e engine.Release, escapesRepo func(path string) bool) (Files, error) {
	var found Files
	entries, err := os.ReadDir(dir)
	if err != nil {
		return found, input.StripPath(err)
	}
	found.add("", namesOf(entries, func(dir string) bool { k, ok := kindOf(dir, false, e); return ok && k.opened }), e)
	if slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return d.Name() == TestDir }) {
		found.addTests(filepath.Join(dir, TestDir), e, escapesRepo)
	}
	found.sort()
	return found, nil
}

// FindIn lists the files of a module in a directory that isn't on the disk. tests is the directory
// of its tests, or nil; problem is the reason why that can't be read.
func FindIn(dir, tests load.Directory, problem error, e engine.Release) (Files, error) {
	var found Files
	names, _, err := dir.Names()
	if err != nil {
		return found, err
	}
	found.add("", names, e)
	switch {
	case problem != nil:
		found.Tests = problem
	case tests != nil:
		names, _, err := tests.Names()
		found.Tests = err
		found.add(TestDir+"/", names, e)
	}
	found.sort()
	return found, nil
}

// addTests adds the files of the directory of tests.
func (f *Files) addTests(dir string, e engine.Release, escapesRepo func(string) bool) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // a link to nothing
	case err != nil:
		f.Tests = input.StripPath(err)
		return
	case !info.IsDir():
		f.Tests = errors.New("it is not a directory")
		return
	case escapesRepo != nil && escapesRepo(dir):
		f.Outside = true
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.Tests = input.StripPath(err)
		return
	}
	f.add(TestDir+"/", namesOf(entries, func(string) bool { return false }), e)
}

// namesOf returns the names of all entries that aren't directories, and of the directories that
// isOpened reports.
func namesOf(entries []fs.DirEntry, isOpened func(dir string) bool) (names []string) {
	for _, d := range entries {
		if !d.IsDir() || isOpened(d.Name()) {
			names = append(names, d.Name())
		}
	}
	return names
}

// add adds the files of a directory, by the names in it.
func (f *Files) add(prefix string, names []string, e engine.Release) {
	first := len(f.List)
	present := map[string]bool{}
	for _, name := range names {
		k, ok := kindOf(name, prefix != "", e)
		if !ok {
			continue
		}
		file := File{Name: prefix + name, Role: k.role, Status: Read, Syntax: k.syntax, In: k.in, kind: k}
		switch {
		case !k.in.Has(e):
			file.Status = Unread
		case k.needs != "":
			file.Status, file.Needs = OnRequest, k.needs
		default:
			present[file.Name] = true
		}
		f.List = append(f.List, file)
	}
	for i := range f.List[first:] {
		file := &f.List[first+i]
		stem, yields := strings.TrimSuffix(file.Name, file.kind.suffix), file.kind.yields
		if file.Status == Read && yields != "" && present[stem+yields] {
			file.Status, file.By = Shadowed, stem+yields
		}
	}
}

// kindOf returns the kind of a name in the directory of a module, or in its directory of tests.
func kindOf(name string, isTest bool, e engine.Release) (kind, bool) {
	for _, k := range kinds {
		means := true
		if isTest {
			k, means = k.inTests(e)
		}
		if k.fits(name) {
			return k, means
		}
	}
	return kind{}, false
}

// RoleOf returns the role of a name in the directory of a module, or in its directory of tests, for
// at least one release, even if only an option loads the file.
func RoleOf(name string, isTest bool) (Role, bool) {
	for _, e := range engine.Observed() {
		if k, ok := kindOf(name, isTest, e); ok && k.in.Has(e) {
			return k.role, true
		}
	}
	return "", false
}

// sort orders the files and numbers the loaded variables files.
func (f *Files) sort() {
	slices.SortStableFunc(f.List, func(a, b File) int {
		return cmp.Or(
			slices.Index(roles, a.Role)-slices.Index(roles, b.Role),
			a.kind.rank()-b.kind.rank(),
			strings.Count(a.Name, "/")-strings.Count(b.Name, "/"),
			cmp.Compare(a.Name, b.Name),
		)
	})
	loaded := 0
	for i := range f.List {
		file := &f.List[i]
		if isVariables := file.Role == Variables || file.Role == TestVariables; isVariables && file.Status == Read {
			loaded++
			file.Order = loaded
		}
	}
}

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
