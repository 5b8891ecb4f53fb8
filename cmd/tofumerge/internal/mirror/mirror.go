// Package mirror makes a temporary copy of a repository in which modules are flattened, for a tool
// to run in, and brings back the files that the tool wrote there.
//
// It copies a directory with merged modules below it. The copy has everything at the path that the
// original has, below a temporary directory, so that relative paths keep their meaning. New files
// and changes are brought back, all or none. The package refuses to bring back files that would
// change the meaning of the original: a change to a file that flattening wrote, and a new override
// file. It neither runs the tool nor prints.
package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Tree is a temporary copy of a directory, the original. All paths of the original that it holds are absolute and
// free of links.
type Tree struct {
	Base    string // the directory that is copied
	Modules []string

	warn    func(string)
	temp    *replace.TempDir
	flat    map[string]*flat // by path of the original
	parts   map[string]bool  // paths of the files of merged modules; the copy has the flattened files instead
	outside []string         // directories that are not below Base
	targets []string         // targets of links in the copy that may be outside
	known   map[string]stamp // by path of the original: the state of the copy before the tool runs
}

// A flat is a flattened file.
type flat struct {
	*relocate.File
	dir    string // the directory of its module
	isSame bool   // the original has the same text
}

// A stamp is the state of a file before the tool runs. Another stamp afterwards means that the tool changed it.
type stamp struct {
	size int64
	time time.Time
	mode fs.FileMode
}

// stampOf returns the stamp of a file.
func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime(), info.Mode()} }

// baseOf returns the directory to copy for one with modules: the root of its repository or, if that is too much, the
// directory itself.
func baseOf(dir string) string {
	dir = repo.Real(dir)
	if base := repo.Real(repo.Root(dir)); !isTooMuch(base) {
		return base
	}
	return dir
}

// isTooMuch reports whether a directory is too much to copy even if it is a repository: the root of the file system
// or the home directory.
func isTooMuch(dir string) bool {
	home, err := os.UserHomeDir()
	return dir == filepath.Dir(dir) || err == nil && dir == repo.Real(home)
}

// New starts a copy of the repository that a directory is in, or of the directory itself; Fill fills it. If isKept is
// set, the copy stays after the run. warn receives warnings for the user.
func New(dir string, isKept bool, warn func(string)) (*Tree, error) {
	t := &Tree{
		Base: baseOf(dir), warn: warn,
		flat: map[string]*flat{}, parts: map[string]bool{}, known: map[string]stamp{},
	}
	var err error
	if t.temp, err = replace.NewTempDir(isKept, warn); err != nil {
		return nil, err
	}
	t.temp.Path = repo.Real(t.temp.Path)
	if repo.IsWithin(t.temp.Path, t.Base) {
		_ = t.temp.Remove()
		return nil, fmt.Errorf("nothing was run: the directory for temporary files, %s, is inside %s, which is copied there; "+
			"name another one in TMPDIR", diag.Escape(filepath.Dir(t.temp.Path)), diag.Escape(t.Base))
	}
	return t, nil
}

// Path returns the temporary directory. The copy has the whole path of the original below it.
func (t *Tree) Path() string { return t.temp.Path }

// Keep makes the copy stay after the run. That renames its directory, so Keep returns where a path of the original is
// in the copy now.
func (t *Tree) Keep(path string) string {
	if err := t.temp.Keep(); err != nil {
		t.warn(fmt.Sprintf("the next run will remove %s: %v", diag.Escape(t.temp.Path), input.StripPath(err)))
	}
	return t.Copied(path)
}

// Remove removes the copy.
func (t *Tree) Remove() error { return t.temp.Remove() }

// Copied returns the path in the copy for an absolute path of the original, even if the copy lacks it; see Within.
func (t *Tree) Copied(path string) string {
	volume := filepath.VolumeName(path) // C: on Windows becomes a directory C
	return filepath.Join(t.temp.Path, strings.TrimSuffix(volume, ":"), path[len(volume):])
}

// Original returns the path in the original for a path of the copy. For any other path it returns the path itself and
// false.
func (t *Tree) Original(path string) (original string, isCopied bool) {
	for _, of := range append([]string{t.Base}, t.outside...) {
		if at := t.Copied(of); repo.IsWithin(path, at) {
			return of + path[len(at):], true
		}
	}
	return path, false
}

// Within returns the path in the copy for a path within Base or within a directory that the copy links to (see
// AddOutside). Any other path it returns unchanged.
func (t *Tree) Within(path string) string {
	for _, of := range append([]string{t.Base}, t.outside...) {
		if repo.IsWithin(path, of) {
			return t.Copied(path)
		}
	}
	return path
}

// File returns the flattened file at a path of the copy; nil for any other file.
func (t *Tree) File(path string) *relocate.File {
	if original, isCopied := t.Original(path); isCopied && t.flat[original] != nil {
		return t.flat[original].File
	}
	return nil
}

// Fill makes the copy. It first calls add, which must call Add for each module to flatten, and AddOutside for each
// directory to link to. Then it copies everything else, and records the state of all files in t.known, so that
// BringBack finds the tool's changes.
func (t *Tree) Fill(add func(*replace.Building) error) error {
	err := t.temp.Fill(func(b *replace.Building) error {
		if err := add(b); err != nil {
			return err
		}
		return t.copyRest(b)
	})
	if err != nil {
		return err
	}
	note := func(path string, info fs.FileInfo) { t.known[path] = stampOf(info) }
	t.walkOutside(note)
	return t.walk(note)
}

// Add writes a flattened module into the copy. files are its primary files with the overrides merged in.
func (t *Tree) Add(b *replace.Building, m *merge.Module, files []*patch.File) error {
	src, dir := m.Source, repo.Real(m.Source.Dir)
	if !repo.IsWithin(dir, t.Base) {
		return fmt.Errorf("nothing was run: %s is a link that points outside %s", diag.Escape(src.Dir), diag.Escape(t.Base))
	}
	t.Modules = append(t.Modules, dir)
	// copyRest must leave out the originals of these files.
	for _, e := range src.Names {
		if writeback.IsPart(e) {
			t.parts[filepath.Join(dir, e.Name)] = true
		}
	}
	to := t.Copied(dir)
	if err := b.Step(func() error { return os.MkdirAll(to, 0o700) }); err != nil {
		return writeback.NotWritten(to, err)
	}
	// Lines are mapped only when they are needed: when the tool's output names one.
	maps := sync.OnceValue(func() []sourcemap.Lines { return sourcemap.Of(m, files) })
	// If main.tofu hides main.tf, write it as main.tf, which all tools read. shown has the indexes of files.
	shown, renamed := unhide(src, files)
	if err := writeback.WriteFiles(b, to, src, shown); err != nil {
		return err
	}
	for i, d := range shown {
		made := &relocate.File{Text: d.New(), Lines: func() sourcemap.Lines { return maps()[i] }, Original: func(name string) []byte {
			text, _ := input.Read(filepath.Join(dir, name), longestBack) // if that fails, columns aren't mapped
			return text
		}}
		isSame := !d.IsNew && !d.Changes() && !renamed[d.Name] // then BringBack takes the tool's changes to it
		t.flat[filepath.Join(dir, d.Name)] = &flat{File: made, dir: dir, isSame: isSame}
		if info, err := os.Stat(filepath.Join(dir, d.Name)); err == nil { // the time shows whether the tool changes the file
			_ = os.Chtimes(filepath.Join(to, d.Name), info.ModTime(), info.ModTime())
		}
	}
	return nil
}

// unhide returns files, but gives a file that hides another one from the engine the name of the hidden file. For
// example, main.tofu hides main.tf from OpenTofu, but most tools only read main.tf, so main.tofu becomes main.tf. It
// doesn't change the elements of files, but copies those that it renames. renamed has their new names.
func unhide(src *load.Module, files []*patch.File) (list []*patch.File, renamed map[string]bool) {
	hidden := map[string]string{} // by the name of a file: that of the one that it hides
	for _, e := range src.Names {
		if e.Status == load.Shadowed && e.Role == source.Primary {
			hidden[e.By] = e.Name
		}
	}
	renamed = map[string]bool{}
	for _, d := range files {
		if name := hidden[d.Name]; name != "" {
			c := *d
			c.Name = name
			d = &c
			renamed[name] = true
		}
		list = append(list, d)
	}
	return list, renamed
}

// AddOutside makes the copy link to a directory outside of Base that a module call loads. dir must be absolute and
// free of links.
func (t *Tree) AddOutside(dir string) {
	t.outside = append(t.outside, dir)
}

// isOutside reports whether a path is neither in the original nor in the copy.
func (t *Tree) isOutside(path string) bool {
	return !repo.IsWithin(path, t.Base) && !repo.IsWithin(path, t.temp.Path)
}

// walk visits the files of the copy. path is the path in the original, info describes the file in the copy. It visits
// links, but doesn't follow them.
func (t *Tree) walk(visit func(path string, info fs.FileInfo)) error {
	return filepath.WalkDir(t.temp.Path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() { // the tool, with the same user, can't have read it either
				t.warn(fmt.Sprintf("%s was not searched for changes: %v", diag.Escape(path), input.StripPath(err)))
				return fs.SkipDir
			}
			return fmt.Errorf("can't read the copy: %w", input.StripPath(err))
		}
		if d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil { // a program in the background may just have removed it
			original, _ := t.Original(path)
			visit(original, info)
		}
		return nil
	})
}

// mostOutside is the maximum number of files outside that are searched for changes: a link may point to the root.
// Tests replace it.
var mostOutside = 20_000

// walkOutside visits the files outside of the original and the copy that links in the copy lead to, because a tool
// may have written there. It visits each file once, and at most mostOutside files.
func (t *Tree) walkOutside(visit func(path string, info fs.FileInfo)) {
	seen := map[string]bool{}
	for _, target := range t.targets {
		_ = filepath.WalkDir(repo.Real(target), func(path string, d fs.DirEntry, err error) error {
			switch {
			case len(seen) >= mostOutside:
				return fs.SkipAll
			case !t.isOutside(path):
				return fs.SkipDir // walk visits it
			case err != nil || d.IsDir() || seen[path]:
				return nil // unreadable for the tool, too; a directory; or already visited
			}
			seen[path] = true
			if info, err := d.Info(); err == nil {
				visit(path, info)
			}
			return nil
		}) // no error: the function returns only SkipAll and SkipDir, which WalkDir handles
	}
}

// The files of the copy besides flattened modules.

// longFile is the size in bytes above which the copy has a link to a file instead of a copy.
const longFile = 1 << 20

// settings lists the names of files that tools look for in directories above a module.
var settings = []string{
	".checkov.yaml", ".checkov.yml", ".editorconfig", ".infracost", ".opentofu-version", ".pre-commit-config.yaml",
	".terraform-docs.yaml", ".terraform-docs.yml", ".terraform-version", ".tflint.hcl", ".tflint.json", ".tfsec", ".tool-versions",
	".tofumerge.hcl", ".trivyignore", ".trivyignore.yaml", "infracost.yml", "trivy.yaml",
}

// copyRest copies the original, except for the files of the added modules, whose flattened forms Add has written. It
// adds the settings files above the original, and links to the directories outside that module calls load.
func (t *Tree) copyRest(b *replace.Building) error {
	at := t.Copied(t.Base)
	if err := b.Step(func() error { return os.MkdirAll(at, 0o700) }); err != nil {
		return writeback.NotWritten(at, err)
	}
	rest := &writeback.DirCopy{
		To: b, At: at, From: t.Base, Warn: t.warn, Mirror: &writeback.Mirror{In: t.Within, IsLinked: t.isLinked},
		IsWritten: func(rel string) bool { return t.parts[filepath.Join(t.Base, rel)] },
	}
	if err := rest.Copy(); err != nil {
		return err
	}
	t.targets = rest.Mirror.Targets
	t.copyAbove(b)
	t.linkOutside(b)
	return nil
}

// linkOutside links the directories of t.outside into the copy, so that module calls there reach them. If it can't
// make a link, it only warns, because tools can work without it. t.outside keeps only the linked directories. They
// become targets, too, so that walkOutside finds what the tool writes there.
func (t *Tree) linkOutside(b *replace.Building) {
	slices.Sort(t.outside) // a directory comes before those below it
	var linked []string
	for _, dir := range t.outside {
		if len(linked) > 0 && repo.IsWithin(dir, linked[len(linked)-1]) {
			continue // the link to the directory above it is enough
		}
		if err := t.link(b, dir); err != nil {
			t.warn(fmt.Sprintf("a module call loads %s, which is not in the copy", diag.Escape(dir)))
			continue
		}
		linked = append(linked, dir)
	}
	t.outside = linked
	t.targets = append(t.targets, linked...)
}

// isLinked reports whether the copy gets a link to a file or directory instead of a copy of it, because copying would
// take long: to a file of more than longFile bytes, and to .terraform/providers and .terraform/modules, which init
// fills. A state gets no link (writeback.IsKept): a program in the copy would write to the original. rel is the path
// from Base.
func (t *Tree) isLinked(rel string, d fs.DirEntry) bool {
	name := d.Name()
	switch {
	case filepath.Base(filepath.Dir(rel)) == ".terraform":
		return d.IsDir() && (name == "providers" || name == "modules")
	case writeback.IsKept(name):
		return false
	case d.Type().IsRegular():
		info, err := d.Info()
		return err == nil && info.Size() > longFile
	}
	return false
}

// link makes a link in the copy, at the place of a path of the original, to that path.
func (t *Tree) link(b *replace.Building, path string) error {
	to := t.Copied(path)
	return b.Step(func() error {
		err := os.MkdirAll(filepath.Dir(to), 0o700)
		if err == nil {
			err = os.Symlink(path, to)
		}
		return err
	})
}

// copyAbove copies the settings files of tools in the directories above Base, where tools look for them, too.
func (t *Tree) copyAbove(b *replace.Building) {
	for dir := filepath.Dir(t.Base); ; dir = filepath.Dir(dir) {
		for _, name := range settings {
			from, to := filepath.Join(dir, name), filepath.Join(t.Copied(dir), name)
			text, err := input.Read(from, longestBack)
			if err != nil {
				continue
			}
			if err := b.Step(func() error { return os.WriteFile(to, text, 0o600) }); err != nil {
				t.warn(fmt.Sprintf("%s is left out of the copy: %v", diag.Escape(from), input.StripPath(err)))
			}
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// longestBack is the maximum size in bytes of a file that is brought back.
const longestBack = 256 << 20

// A Return tells what became of the files that a tool wrote.
type Return struct {
	Lost      []string // files that didn't come back, and why, each a sentence without its full stop
	LostState bool     // a state is among them
	Left      int      // number of files that belong to the copy's directories, and stay there
}

// A returner collects the files to bring back.
type returner struct {
	*Tree
	set       *replace.Set                          // writes them, all or none
	translate func(path string, text []byte) []byte // see BringBack
	nameOf    func(path string) string
	modes     map[string]fs.FileMode // by path: the mode that the file gets once all are written
	Return
}

// BringBack copies the files that the tool changed or added in the copy to the original. It writes all of them or, if
// an error is returned, none. Changes that it must not copy, and removals, are in Lost. translate replaces locations
// in the copy by those in the original in the text of the file at path. nameOf names a file in messages.
func (t *Tree) BringBack(
	opts replace.Options, translate func(path string, text []byte) []byte, nameOf func(path string) string,
) (Return, error) {
	r := &returner{Tree: t, set: replace.NewSet(opts), translate: translate, nameOf: nameOf, modes: map[string]fs.FileMode{}}
	defer r.set.Close()
	unvisited := t.known // the files from before the tool ran, until a walk comes to them
	t.known = map[string]stamp{}
	back := func(path string, info fs.FileInfo) { // brings back a file if it is new or changed
		was, isOld := unvisited[path]
		delete(unvisited, path)
		if isOld && was == stampOf(info) {
			return
		}
		if why := r.add(path, info, was, isOld); why != "" {
			r.Lost = append(r.Lost, nameOf(path)+" "+why)
		}
	}
	err := t.walk(back)
	t.walkOutside(back)
	// The tool has removed the files in the copy that walk didn't visit. Files outside may still exist, because
	// walkOutside stops after mostOutside files, so look for them.
	for path := range unvisited {
		if !t.isOutside(path) {
			r.Lost = append(r.Lost, nameOf(path)+" was removed by the tool from the copy only")
		} else if _, err := os.Lstat(path); err != nil {
			r.Lost = append(r.Lost, nameOf(path)+" was removed by the tool"+throughLink)
		}
	}
	slices.Sort(r.Lost)
	if err == nil { // the walk found all files, so write them
		err = r.set.Run()
	}
	if err != nil {
		return r.Return, err
	}
	for path, mode := range r.modes {
		if err := os.Chmod(path, mode); err != nil {
			r.Lost = append(r.Lost, nameOf(path)+" keeps its mode: "+input.StripPath(err).Error())
		}
	}
	return r.Return, nil
}

// executable masks the bits of a mode that allow to run a file.
const executable = 0o111

// throughLink is the end of messages about a file outside, which the tool can only have reached so.
const throughLink = " through a link that points outside of the copy"

// add adds a file that the tool wrote to those to bring back. If the file can't come back, why is the end of a
// sentence that starts with the file: "is not a regular file, …". It is "" if add added the file, or if there is
// nothing to do. info describes the file in the copy. If isOld, the file existed before the tool ran, and was is its
// stamp then. The cases go from files that must never come back to ordinary ones.
func (r *returner) add(path string, info fs.FileInfo, was stamp, isOld bool) (why string) {
	if r.isOutside(path) {
		return "was written by the tool" + throughLink
	}
	if !repo.IsWithin(path, r.Base) {
		r.LostState = r.LostState || strings.Contains(filepath.Base(path), ".tfstate")
		return "was written by the tool outside of the copy, and is not copied back"
	}
	flat := r.flat[path]
	switch staysThere, isState := r.ofEngineOrGit(path); {
	case isState:
		return r.addState(path, info)
	case staysThere:
		r.Left++
		return ""
	case flat != nil && !flat.isSame: // the text isn't the original's, so a change has no place there
		return r.whyMerged(path, info, flat)
	case isOld && !info.Mode().IsRegular():
		return "was replaced by the tool in the copy only: it is not a regular file"
	case !info.Mode().IsRegular():
		return "is not a regular file, so it is not copied back"
	case !isOld && r.isOverride(path):
		return "would override the original, so it is not copied back"
	case !repo.IsWithin(repo.Real(nearest(filepath.Dir(path))), r.Base):
		return "would be outside of the original, so it is not copied back"
	}
	text, err := input.Read(r.Copied(path), longestBack)
	if err != nil {
		return "is not copied back: " + input.StripPath(err).Error()
	}
	if !isOld {
		return r.addNew(path, text, info.Mode().Perm())
	}
	// A file of the original gets the new text, and the new mode if the tool changed it.
	why = r.rewrite(path, text, was)
	hasNewMode := was.mode.IsRegular() && was.mode != info.Mode()
	if why == "" && hasNewMode {
		r.modes[path] = info.Mode().Perm()
	}
	return why
}

// addNew adds a file that the tool made: it is made in the original, too, and is executable if mode, its mode in the
// copy, says so. It returns why not, as add does.
func (r *returner) addNew(path string, text []byte, mode fs.FileMode) (why string) {
	if err := r.create(path, r.translate(path, text)); err != nil {
		return "is not copied back: " + input.StripPath(err).Error()
	}
	if mode&executable != 0 {
		r.modes[path] = mode
	}
	return ""
}

// addState adds a state that an engine wrote to the files to bring back, byte for byte. It returns why not, as add
// does, for example if the original has a file of that name.
func (r *returner) addState(path string, info fs.FileInfo) (why string) {
	text, err := input.Read(r.Copied(path), longestBack)
	if err == nil && info.Mode().IsRegular() && r.create(path, text) == nil {
		return ""
	}
	r.LostState = true
	return "is a state that the tool wrote into the copy, and is not copied back"
}

// whyMerged explains why a flattened file that the tool wrote isn't brought back, and names the original lines to
// change instead. It returns "" if the tool didn't change the text.
func (r *returner) whyMerged(path string, info fs.FileInfo, flat *flat) string {
	const merged = ", but is merged in the copy"
	now, err := input.Read(r.Copied(path), longestBack)
	if err != nil || !info.Mode().IsRegular() {
		return "was replaced by the tool" + merged + "; change the originals"
	}
	d := patch.Diff(filepath.Base(path), flat.Text, []textedit.Edit{textedit.Replace(0, len(flat.Text), string(now))})
	if !d.Changes() {
		return ""
	}
	return "was changed by the tool" + merged + "; change the originals: " + r.originsOf(flat, d)
}

// ofEngineOrGit reports whether a file belongs to an engine or git, so that it stays in the copy, and whether it is a
// state, which comes back nevertheless. path is its path in the original. The results are
//
//	true, true     for terraform.tfstate, and for terraform.tfstate.d/test/x
//	true, false    for .git/x, .terraform/x, and .terraform.tfstate.lock.info
//	false, false   for main.tf
func (r *returner) ofEngineOrGit(path string) (staysThere, isState bool) {
	for at := path; at != r.Base && at != filepath.Dir(at); at = filepath.Dir(at) { // the file, and what it is in
		name := filepath.Base(at)
		staysThere = staysThere || writeback.IsKept(name)
		switch name {
		case ".terraform", ".git": // .terraform/terraform.tfstate only records the backend
			return true, false
		case "terraform.tfstate.d": // has a state for each workspace
			isState = true
		}
		isStateFile := at == path && staysThere && strings.Contains(name, ".tfstate") && !strings.HasSuffix(name, ".lock.info")
		isState = isState || isStateFile
	}
	return staysThere, isState
}

// isOverride reports whether a file that the tool made would override configuration in the original: it has the name
// of an override file, in a directory that the original has, or the path of a file of a merged module.
func (r *returner) isOverride(path string) bool {
	if r.parts[path] { // such as an override file, which the copy lacked until the tool made it anew
		return true
	}
	e := load.Classify([]string{filepath.Base(path)}, engine.Default())
	if len(e) != 1 || e[0].Role != source.Override || e[0].Status != load.Read {
		return false
	}
	_, err := os.Stat(filepath.Dir(path)) // in a new directory there is nothing to override
	return err == nil
}

// nearest returns a path if it exists, otherwise the nearest directory above it that does.
func nearest(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// create adds a new file to those to bring back, and makes the directories above it. It refuses to replace a file.
func (r *returner) create(path string, text []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("the original now has another file of that name")
	}
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = r.set.Create(path, r.nameOf(path), text)
	}
	return err
}

// rewrite adds a new text of a file, one that flattening didn't change, to those to bring back. It returns why not,
// as add does, if the original can't be replaced or has changed since it was copied. was is the stamp of the file in
// the copy before the tool ran.
func (r *returner) rewrite(path string, text []byte, was stamp) (why string) {
	target := path
	if was.mode&fs.ModeSymlink != 0 { // a long file was a link in the copy
		if target = repo.Real(path); !repo.IsWithin(target, r.Base) {
			return "was replaced by the tool in the copy only: it is a link in the original"
		}
	}
	info, err := os.Lstat(path)
	var old []byte
	if err == nil {
		old, err = input.Read(target, longestBack)
	}
	if err != nil {
		return "was changed by the tool in the copy only: " + input.StripPath(err).Error()
	}
	if bytes.Equal(old, text) {
		return ""
	}
	// A regular file in the copy got the size and the time of the original. If the original has others now, somebody
	// has changed it.
	if was.mode.IsRegular() && (info.Size() != was.size || !info.ModTime().Equal(was.time)) {
		return "was changed by the tool, and by somebody else in the original meanwhile; the tool's change is not copied back"
	}
	if err := r.set.Rewrite(target, r.nameOf(path), old, r.translate(path, text)); err != nil {
		return "was changed by the tool in the copy only: " + input.StripPath(err).Error()
	}
	return ""
}

// mostLines is the maximum number of changed lines of a flattened file that a message names.
const mostLines = 5

// originsOf names the original lines, as FILE:LINE, in which users must make the changes that d makes in a flattened
// file. For inserted lines, that is the origin of the line after them. It names at most mostLines lines.
func (r *returner) originsOf(flat *flat, d *patch.File) string {
	var names []string
	lines := flat.Lines()
	if len(lines) == 0 {
		return ""
	}
	for _, run := range d.Runs {
		// The run replaces the lines with the indexes run.From to run.To-1. An insertion replaces none, so take the
		// line after it, or at the end of the file the last one.
		for i := run.From; i < max(run.To, run.From+1); i++ {
			o := lines[min(i, len(lines)-1)][0] // one in an override file, if there is any
			name := fmt.Sprintf("%s:%d", r.nameOf(filepath.Join(flat.dir, o.File)), o.Line)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > mostLines {
		return fmt.Sprintf("%s and %s more", strings.Join(names[:mostLines], ", "), wording.Count(len(names)-mostLines, "line"))
	}
	return strings.Join(names, ", ")
}
