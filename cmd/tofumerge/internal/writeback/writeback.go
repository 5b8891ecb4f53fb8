// Package writeback writes the result of a command: into a file that -o names, into the files of a
// module in place, or into a new directory.
//
// It takes a merged module and the new texts of its files. It refuses an output that would become
// an input, a directory that isn't empty, and a step after which the engine would see another
// module. The output appears as a whole or not at all; package replace takes care of that. It
// prints nothing: warnings are passed to a function.
package writeback

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// InPlace adds to a set the changes that write the new texts of a module's primary files and remove its
// override files. If the set is interrupted at any moment, the directory holds the same module for the
// engine; InPlace refuses changes for which that isn't so. loading are the options with which the module was
// read.
func InPlace(set *replace.Set, mod *merge.Module, diffs []*patch.File, loading load.Options) error {
	dir := mod.Source.Dir
	set.ReportLeft(dir)
	// The new texts of changed files come first, and then the overrides go.
	changed := slices.DeleteFunc(slices.Clone(diffs), func(d *patch.File) bool { return !d.Changes() })
	if err := checkAllTheWay(mod, changed, loading); err != nil {
		return err
	}
	if err := rewriteAll(set, mod.Source, changed); err != nil {
		return err
	}
	for _, path := range overridesOf(mod.Source) { // a_override.tf before a_override.tofu, which hides it
		name := diag.Escape(mod.Source.Prefix + filepath.Base(path))
		text, err := textOf(mod.Source, path)
		if err != nil {
			return fmt.Errorf("nothing was written: can't read %s: %w", name, input.StripPath(err))
		}
		if err := set.Remove(path, name, text); err != nil {
			return NotWritten(path, err)
		}
	}
	for _, file := range mod.Source.Files { // nothing is written if one has changed since it was read
		set.Expect(file.Path, diag.Escape(mod.Source.Prefix+file.Name), file.Raw)
	}
	return nil
}

// Removed returns the removal of the override files that InPlace removes, as changes of a patch.
func Removed(src *load.Module) ([]*patch.File, error) {
	var list []*patch.File
	for _, path := range overridesOf(src) {
		text, err := textOf(src, path)
		if err != nil {
			return nil, fmt.Errorf("can't read %s: %w", diag.Escape(src.Prefix+filepath.Base(path)), input.StripPath(err))
		}
		list = append(list, patch.Removed(filepath.Base(path), text))
	}
	return list, nil
}

// rewriteAll adds to a set that files get their new texts.
func rewriteAll(set *replace.Set, src *load.Module, diffs []*patch.File) error {
	for _, d := range diffs {
		path, name := filepath.Join(src.Dir, d.Name), src.Prefix+d.Name
		if d.IsNew { // it must not overwrite a file
			if _, err := os.Lstat(path); err == nil {
				return fmt.Errorf("nothing was written: %s already exists; remove or rename it", diag.Escape(name))
			}
			if err := set.Create(path, diag.Escape(name), d.New()); err != nil {
				return NotWritten(name, err)
			}
			continue
		}
		if err := Rewrite(set, src.Dir, path, name, d.Old, d.New()); err != nil {
			return err
		}
	}
	return nil
}

// Rewrite adds to a set that a file in the directory of a module gets a new text; if the file is a link, its
// target gets it. name is the file's name in messages.
func Rewrite(set *replace.Set, dir, path, name string, old, text []byte) error {
	target, err := TargetInside(dir, path, name)
	if err != nil {
		return err
	}
	if err := set.Rewrite(target, diag.Escape(name), old, text); err != nil {
		return NotWritten(name, err)
	}
	return nil
}

// TargetInside returns the real path of a file. It refuses a link that points out of the directory of the
// module.
func TargetInside(dir, path, name string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", NotWritten(name, err)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", NotWritten(name, err)
	}
	if rel, _ := filepath.Rel(root, target); !filepath.IsLocal(rel) {
		return "", fmt.Errorf("nothing was written: %s is a link to a file outside the directory", diag.Escape(name))
	}
	return target, nil
}

// textOf returns the text of an override file. One that another file hides hasn't been loaded, and may even
// be a broken link, which has no text.
func textOf(src *load.Module, path string) ([]byte, error) {
	if i := slices.IndexFunc(src.Files, func(f *source.File) bool { return f.Path == path }); i >= 0 {
		return src.Files[i].Raw, nil
	}
	// A hidden file is read from the disk; nil for a broken link.
	f, _, err := input.Open(path)
	if _, isThere := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && isThere == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// overridesOf returns the paths of a module's override files in the order of their removal: files that others
// hide come first.
func overridesOf(src *load.Module) (paths []string) {
	for _, e := range src.Names {
		if e.Role == source.Override && e.Status == load.Shadowed {
			paths = append(paths, filepath.Join(src.Dir, e.Name))
		}
	}
	for _, f := range src.Files {
		if f.Role == source.Override {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// checkAllTheWay refuses changes that, while only some of them are made, leave another module in the
// directory.
func checkAllTheWay(mod *merge.Module, diffs []*patch.File, opts load.Options) error {
	want := compare.Meaning(mod, mod.Source)
	opts.Contents = map[string][]byte{}
	for _, d := range diffs {
		opts.Contents[d.Name] = d.New()
	}
	gone := map[string]bool{} // the override files that are removed so far, which Absent hides
	opts.Absent = func(name string) bool { return gone[name] }
	// First the end: all files written, all overrides gone.
	if err := checkEnd(mod, opts, want); err != nil {
		return err
	}
	// In the first round, with "", no override file is gone. The new files together with all overrides show what each
	// override would do to each new file. That covers any order in which they are written, because blocks of different
	// files don't depend on each other. In each further round, one more override file is gone.
	for _, path := range append([]string{""}, overridesOf(mod.Source)...) {
		gone[filepath.Base(path)] = true
		isSame, err := hasMeaning(mod.Source, opts, want)
		switch {
		case err != nil:
			return err
		case !isSame:
			return fmt.Errorf("nothing was written: while only some of the files are written, %s would be another module; "+
				"write to a new directory with -o, and move its files here", diag.Escape(filepath.Join(mod.Source.Prefix, ".")))
		}
	}
	return nil
}

// checkEnd refuses changes if the module would mean something else once all are made: its files are new, and its
// override files gone. opts contain the new files, and want is the meaning of mod.
func checkEnd(mod *merge.Module, opts load.Options, want []string) error {
	gone := map[string]bool{}
	for _, path := range overridesOf(mod.Source) {
		gone[filepath.Base(path)] = true
	}
	opts.Absent = func(name string) bool { return gone[name] }
	isSame, err := hasMeaning(mod.Source, opts, want)
	if err == nil && !isSame {
		err = errors.New("nothing was written: without the override files, the module would change")
	}
	return err
}

// hasMeaning reports whether the directory of a module, read with options, has the meaning want, a result of
// compare.Meaning. A directory without configuration has an empty meaning, and one with errors has none.
func hasMeaning(was *load.Module, opts load.Options, want []string) (bool, error) {
	mod, diags, err := merge.Dir(was.Dir, opts, merge.Options{})
	if none := (*load.NoFilesError)(nil); errors.As(err, &none) {
		return len(want) == 0, nil
	}
	if err != nil || diags.HasErrors() {
		return false, err
	}
	return slices.Equal(want, compare.Meaning(mod, was)), nil
}

// IsForeignLink reports whether a file to write is reached through a link in a repository and is outside of
// its working tree, or in .git. The link may be part of a change under review, which must not choose the file
// to overwrite.
func IsForeignLink(path string) bool {
	path = repo.Absolute(path)
	root := repo.Root(filepath.Dir(path))
	if !repo.IsRoot(root) {
		return false
	}
	gitDir := filepath.Join(root, ".git")
	out, err := replace.FindOutput(path)
	if err != nil || out.Path == "" || repo.IsWithin(path, gitDir) {
		return false // it can't be a file, or the user names one in .git directly
	}
	return !repo.IsWithin(out.Path, repo.Real(root)) || repo.IsWithin(out.Path, repo.Real(gitDir))
}

// An Output is the file that a flag such as -o names. It is found before anything is read.
type Output struct {
	name string // the flag and the file, as given, for messages
	file *replace.Output
}

// FindOutput finds the file that a flag names, relative to a directory. It doesn't create the file.
func FindOutput(base, flag, name string) (*Output, error) {
	if name == "" || name == "-" {
		return nil, errors.New(flag + " needs the name of a file; for standard output, leave it out")
	}
	path := repo.In(base, name)
	if os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s takes a file, and %s is a directory; to write all files, run: tofumerge flatten -o NEWDIR", flag, diag.Escape(name))
	}
	if IsForeignLink(path) {
		return nil, fmt.Errorf("%s %s is a link that points outside the repository or into .git; write to a file", flag, diag.Escape(name))
	}
	file, err := replace.FindOutput(path)
	if err != nil {
		return nil, err
	}
	return &Output{flag + " " + diag.Escape(name), file}, nil
}

// String returns the flag with the name of its file.
func (o *Output) String() string { return o.name }

// IsSame reports whether both are the same file.
func (o *Output) IsSame(other *Output) bool {
	return o.file.Path != "" && (o.file.Path == other.file.Path || repo.IsSameFile(o.file.Path, other.file.Path))
}

// Write replaces the file as a whole.
func (o *Output) Write(text []byte, warn func(string)) error {
	return o.file.Write(text, replace.Options{Warn: warn})
}

// An Input is a file that the run reads. What describes it to the user.
type Input struct{ Path, What string }

// Check refuses a file that would become part of a module, and one that the result is made from: a file of
// the module, settings above it, or one of others. settings is the name of settings files.
func (o *Output) Check(src *load.Module, settings string, others ...Input) error {
	if o.file.Path == "" {
		return nil
	}
	// A name that makes it configuration of the module.
	if repo.IsSameFile(filepath.Dir(o.file.Path), src.Dir) {
		for _, e := range load.Classify([]string{filepath.Base(o.file.Path)}, src.Engine) {
			if e.Status == load.Read || e.Status == load.Foreign { // Foreign: other releases read it
				return fmt.Errorf("%s would become part of the module; write to another directory, or to a "+
					"name that does not end in .tf, .tofu or .json", o.name)
			}
		}
	}
	// A name that gives it another role there.
	if what := ReadAs(o.file.Path, src.Dir, settings); what != "" {
		return fmt.Errorf("%s would be read as %s of the module; write to another directory or name",
			o.name, what)
	}
	// A file that exists must be none of those that the result is made from.
	info, err := os.Stat(o.file.Path)
	if err != nil {
		return nil // a new file overwrites nothing
	}
	var list []Input
	for _, f := range src.Files {
		if f.Overlay {
			list = append(list, Input{f.Path, "the file of --overlay " + diag.Escape(f.Name)})
			continue
		}
		list = append(list, Input{f.Path, diag.Escape(f.Name) + " of the module"})
	}
	for _, e := range src.Names {
		list = append(list, Input{filepath.Join(src.Dir, e.Name), diag.Escape(e.Name) + " of the module"})
	}
	for at := range repo.Ancestors(src.Dir) {
		list = append(list, Input{filepath.Join(at, settings), "the configuration file"})
	}
	for _, in := range append(list, others...) {
		if found, err := os.Stat(in.Path); err == nil && os.SameFile(found, info) {
			return fmt.Errorf("%s would overwrite %s; write to another file", o.name, in.What)
		}
	}
	return nil
}

// roleWords describes the files that engines read beside the configuration.
var roleWords = map[sidefiles.Role]string{
	sidefiles.Variables:     "variables",
	sidefiles.Backend:       "arguments of the backend",
	sidefiles.Lock:          "the dependency lock file",
	sidefiles.Test:          "a test",
	sidefiles.TestVariables: "variables of the tests",
	sidefiles.Mock:          "a mock",
	sidefiles.Query:         "a query",
	sidefiles.Migration:     "a migration",
	sidefiles.Symbols:       "a symbol library",
}

// ReadAs describes the role in which a module would read a file that isn't configuration, or returns "".
// settings is the name of settings files. Names are compared in lower case, because some systems ignore case.
func ReadAs(path, module, settings string) string {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path))
	// Settings and version files apply to the modules below their directory, too.
	if what := readFromAbove(dir, name, module, settings); what != "" {
		return what
	}
	isInModule := repo.IsSameFile(dir, module)
	isInTests := repo.IsSameFile(dir, filepath.Join(module, sidefiles.TestDir))
	role := sidefiles.RoleOf(name, isInTests)
	switch {
	case role != "" && (isInModule || isInTests):
		return roleWords[role]
	case isInModule && (name == "terraform.tfstate" || name == "terraform.tfstate.backup"):
		return "the state"
	}
	return ""
}

// readFromAbove describes what the file name in dir, about to be written, is for a module: its configuration file,
// which has the name settings, or its version file. Both apply from any directory above the module. It returns "" if
// the file is neither.
func readFromAbove(dir, name, module, settings string) string {
	what := "the configuration file"
	if slices.Contains(enginechoice.VersionFiles(), name) {
		what = "the version file"
	} else if name != settings {
		return ""
	}
	for at := range repo.Ancestors(module) {
		if repo.IsSameFile(dir, at) {
			return what
		}
	}
	return ""
}

// NotWritten returns the error that a file could not be written.
func NotWritten(path string, err error) error {
	return fmt.Errorf("can't write %s: %w", diag.Escape(path), input.StripPath(err))
}

// CheckNewDir refuses an output directory that isn't empty, and one inside the flattened directory dir, of
// which it would become a part. what names dir in messages.
func CheckNewDir(out, dir, what string) error {
	info, err := os.Lstat(out)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("nothing was written: %s is a link; name the directory itself", diag.Escape(out))
	case err == nil:
		found, err := os.ReadDir(out)
		if err != nil {
			return NotWritten(out, err)
		}
		if len(found) > 0 {
			return fmt.Errorf("nothing was written: %s is not empty; name a new directory", diag.Escape(out))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return NotWritten(out, err)
	}
	// No directory from the parent up may be dir.
	parent := repo.Real(filepath.Dir(out))
	if _, err := os.Stat(parent); err != nil {
		return fmt.Errorf("nothing was written: no such directory: %s", diag.Escape(filepath.Dir(out)))
	}
	for at := parent; ; at = filepath.Dir(at) {
		if repo.IsSameFile(at, dir) {
			return fmt.Errorf("nothing was written: %s is inside %s; name a directory elsewhere",
				diag.Escape(out), what)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// WriteFiles writes the primary files of a module into a directory, each with the mode that it has in the
// module.
func WriteFiles(b *replace.Building, to string, src *load.Module, diffs []*patch.File) error {
	for _, d := range diffs {
		// A file that the module doesn't have yet gets the usual mode.
		mode := os.FileMode(0o666)
		if info, err := os.Stat(filepath.Join(src.Dir, d.Name)); err == nil {
			mode = info.Mode().Perm()
		}
		err := b.Step(func() error { return os.WriteFile(filepath.Join(to, d.Name), d.New(), mode) })
		if err != nil {
			return NotWritten(d.Name, err)
		}
	}
	return nil
}

// IsPart reports whether the engine loads a file, or would if no other file hid it and no flag left it out.
func IsPart(e load.DirEntry) bool {
	return e.Status == load.Read || e.Status == load.Shadowed || e.Status == load.Excluded
}

// A DirCopy copies a directory to another one, without the configuration of modules.
type DirCopy struct {
	To        *replace.Building
	At        string // the path of the copy in To
	From      string
	IsWritten func(rel string) bool // whether a module has written the file, by its path in From
	Warn      func(string)
	// Mirror is set for a copy that programs run in, and nil for one that people keep.
	Mirror *Mirror
	made   []dirMode // directories of the copy, in the order of their making
}

// symlink is os.Symlink. Tests replace it to simulate a system without links.
var symlink = os.Symlink

// A Mirror marks a copy for running programs: it holds the engines' files beside the configuration
// except for states, and links in it keep their targets.
type Mirror struct {
	// In returns the path in the copy for an absolute path of the original, or the path itself if it isn't
	// copied.
	In func(path string) string
	// IsLinked reports whether the copy has a link to the original instead of a copy.
	IsLinked func(rel string, d fs.DirEntry) bool
	// Targets collects the targets of copied links that leave the original, except for the engines' links.
	Targets []string
}

// A dirMode is a directory that gets its mode once everything is in it: it may be read-only.
type dirMode struct {
	path string
	mode fs.FileMode
}

// Copy copies everything, links as links. It leaves out the files that a module has written, and those that engines
// and git keep for one directory only (see IsKept). With Mirror set, mirror decides instead of IsKept.
func (r *DirCopy) Copy() error {
	err := filepath.WalkDir(r.From, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(r.From, name) // name is below From, so there is no error
		switch {
		case err != nil:
			return r.failed(rel, d, err)
		case rel == ".", !d.IsDir() && r.IsWritten(rel):
			return nil
		}
		isDone := IsKept(d.Name()) // it is left out
		if r.Mirror != nil {
			isDone = r.mirror(name, rel, d) // it is left out, or linked now
		}
		// A file or directory that is done isn't copied, nor is what the directory contains.
		switch {
		case isDone && d.IsDir():
			return fs.SkipDir
		case isDone:
			return nil
		}
		if err := r.copyOne(name, filepath.Join(r.At, rel), d); err != nil {
			return r.failed(rel, d, err)
		}
		return nil
	})
	// Inner directories first: a mode may make what is inside unreachable.
	for _, d := range slices.Backward(r.made) {
		if err == nil {
			err = os.Chmod(d.path, d.mode)
		}
	}
	return err
}

// failed returns the error of an incomplete copy. In a copy for running programs, files that may not be read
// or have disappeared are no error. It warns of them, and returns nil, or fs.SkipDir for a directory.
func (r *DirCopy) failed(rel string, d fs.DirEntry, err error) error {
	if r.Mirror == nil || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("can't copy %s: %w", diag.Escape(rel), input.StripPath(err))
	}
	r.Warn(fmt.Sprintf("%s is left out of the copy: %v", diag.Escape(rel), input.StripPath(err)))
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// mirror handles the files that a copy for running programs doesn't copy: it links them, or leaves them out.
// isDone is false for files to copy; on a system without links, those to link are among them.
func (r *DirCopy) mirror(name, rel string, d fs.DirEntry) (isDone bool) {
	if r.Mirror.IsLinked(rel, d) {
		if r.To.Step(func() error { return symlink(name, filepath.Join(r.At, rel)) }) == nil {
			return true
		}
	}
	// What isn't linked is copied, except for some files.
	switch {
	case filepath.Base(filepath.Dir(rel)) == dataDir, d.Name() == dataDir && d.IsDir():
		return false // .terraform/terraform.tfstate isn't a state: it holds the settings of the backend
	case IsKept(d.Name()): // left out: a copied state would be another state
		return true
	case !d.IsDir() && !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
		r.Warn(fmt.Sprintf("%s is left out: it is not a regular file", diag.Escape(rel)))
		return true
	}
	return false
}

// dataDir is the directory in which init keeps its files.
const dataDir = ".terraform"

// IsKept reports whether a file or directory of this name stays where it is, and has no copy in another directory,
// because engines or git keep it for this directory: a copy of a state would be another state.
func IsKept(name string) bool {
	switch name {
	case ".git", dataDir, "terraform.tfstate.d", ".terraform.tfstate.lock.info":
		return true
	}
	return strings.HasSuffix(name, ".tfstate") || strings.HasSuffix(name, ".tfstate.backup")
}

// copyOne copies a directory without its contents, a link, or a regular file.
func (r *DirCopy) copyOne(from, to string, d fs.DirEntry) error {
	switch {
	case d.IsDir():
		info, err := d.Info()
		if err != nil {
			return err
		}
		r.made = append(r.made, dirMode{to, info.Mode().Perm()})
		return r.To.Step(func() error {
			if err := os.Mkdir(to, 0o700); !errors.Is(err, fs.ErrExist) { // the files of a module may be in it already
				return err
			}
			return nil
		})
	case d.Type()&fs.ModeSymlink != 0:
		return r.copyLink(from, to)
	case !d.Type().IsRegular():
		return errors.New("it is not a regular file")
	}
	return r.copyFile(from, to)
}

// copyLink copies a link. For people it stays unchanged, with a warning if it has another target in the copy,
// or points back into the original. For programs it leads to the copy of its target or, if that isn't copied,
// to the target itself; without links on the system, the target is copied.
func (r *DirCopy) copyLink(name, to string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	link, _ := filepath.Rel(r.From, name) // name is below From, so there is no error
	if r.Mirror != nil {
		// A relative path inside the directory leads to the copy as it is. Other paths are adapted.
		if filepath.IsAbs(target) || leavesOn(filepath.Dir(link), target) {
			target = r.Mirror.In(repo.In(filepath.Dir(name), target))
			// The mirror also visits these; links that an engine made it leaves alone.
			if filepath.Base(filepath.Dir(name)) != dataDir {
				r.Mirror.Targets = append(r.Mirror.Targets, target)
			}
		}
		// Without links on the system, a copy of the target takes the place of the link.
		if err = r.To.Step(func() error { return symlink(target, to) }); err != nil {
			err = r.copyFile(name, to) // the target of the link
		}
		return err
	}
	// A copy for people: the link stays as it is.
	isAbs := filepath.IsAbs(target)
	if !isAbs && leavesOn(filepath.Dir(link), target) {
		r.Warn(fmt.Sprintf(
			"%s is a link to %s, which points elsewhere from the new directory", diag.Escape(link), diag.Escape(target),
		))
	}
	if rel, err := filepath.Rel(r.From, target); isAbs && err == nil && filepath.IsLocal(rel) {
		r.Warn(fmt.Sprintf(
			"%s is a link to %s and still points into the module's directory", diag.Escape(link), diag.Escape(target),
		))
	}
	return r.To.Step(func() error { return os.Symlink(target, to) })
}

// leavesOn reports whether a path, followed from a directory dir, leaves the copied directory on its way,
// even if it returns.
func leavesOn(dir, path string) bool {
	for _, name := range strings.Split(filepath.ToSlash(path), "/") {
		if dir = filepath.Join(dir, name); !filepath.IsLocal(dir) {
			return true
		}
	}
	return false
}

// isUnchanged reports whether a file of which n bytes were read seems not to have changed meanwhile.
func isUnchanged(before, after fs.FileInfo, n int64) bool {
	return n == before.Size() && n == after.Size() && after.ModTime().Equal(before.ModTime())
}

// copyFile copies a regular file with the size that it has when it is opened, and warns if it changes
// meanwhile.
func (r *DirCopy) copyFile(name, to string) error {
	in, before, err := input.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	// The copy must be a new file.
	var out *os.File
	err = r.To.Step(func() (err error) {
		out, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, before.Mode().Perm())
		return err
	})
	if err != nil {
		return err
	}
	n, err := io.CopyN(out, in, before.Size()) // shares blocks on file systems that can
	if errors.Is(err, io.EOF) {
		err = nil // the file got shorter; isUnchanged tells
	}
	after, statErr := in.Stat()
	if err := errors.Join(err, statErr, out.Close()); err != nil {
		return err
	}
	if r.Mirror != nil { // the time shows whether the tool changes the file
		_ = os.Chtimes(to, before.ModTime(), before.ModTime())
	}
	if !isUnchanged(before, after, n) {
		r.Warn(fmt.Sprintf("%s changed while it was copied; check the copy", diag.Escape(name)))
	}
	return nil
}
