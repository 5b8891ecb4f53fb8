package sidefiles

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
func namesOf(entries []fs.DirEntry, isOpened func(dir string) bool) []string {
	var names []string
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
