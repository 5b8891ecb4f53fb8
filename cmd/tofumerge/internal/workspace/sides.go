package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// The two sides of a comparison. The right one is what the workspace reads: the working tree, the
// index, a revision, or modules without some override files. The left one is found here, for each
// module. If no flag names a side, the primary files of a module are compared with all its files.

// Sides are the flags that name a side of a comparison. A run has at most one of them.
type Sides struct {
	Since   *Rev     // of --since; may be nil
	From    string   // of --from: a directory
	Without []string // of --without: override files, or patterns of their names
}

// Named lists the flags that are set.
func (s *Sides) Named() (flags []string) {
	for i, isSet := range [...]bool{s.Since != nil, s.From != "", len(s.Without) > 0} {
		if isSet {
			flags = append(flags, [...]string{"--since", "--from", "--without"}[i])
		}
	}
	return flags
}

// AreTwo reports whether there are two sides to compare: whether a flag names another state of the modules.
func (s *Sides) AreTwo() bool { return len(s.Named()) > 0 }

// CheckDirs refuses paths that exist but aren't directories and, unless mayBeGone, those that don't exist.
func (w *Workspace) CheckDirs(paths []string, mayBeGone bool) error {
	for _, path := range paths {
		if _, ok := w.IsTracked(path); ok {
			continue
		}
		switch info, err := os.Stat(repo.In(w.Base(), path)); {
		case os.IsNotExist(err) && path != "" && !mayBeGone: // "" gets an error of its own when it is loaded
			return load.MissingError{Kind: "directory", Name: path}
		case err == nil && !info.IsDir():
			return load.MissingError{Name: path} // without a kind: a file has the name
		}
	}
	return nil
}

// Compared words the comparison for people, to follow a word such as "changes": "since main". sides is the
// record for programs. Both are empty if no flag names a side.
func (r *Run) Compared() (phrase string, sides *report.SidesRecord) {
	s, tree := r.Search, "working tree"
	if r.ws.Tracked {
		tree = gitrev.IndexName
	}
	switch from := filepath.ToSlash(s.From); {
	case s.Since != nil:
		return "since " + r.ws.LabelOf(s.Since), &report.SidesRecord{Left: s.Since.Left, Right: cmp.Or(s.Since.Right, tree)}
	case from != "":
		return "from " + from, &report.SidesRecord{Left: from, Right: filepath.ToSlash(r.Named[0])}
	case len(s.Without) > 0:
		return s.withoutText(), &report.SidesRecord{Left: tree, Right: tree + " " + s.withoutText()}
	}
	return "", nil
}

// withoutText words --without for people.
func (s *Sides) withoutText() string { return "without " + strings.Join(s.Without, ", ") }

// A leftModule is a module on the left side of a comparison.
type leftModule struct {
	compare.Reading
	IsSame bool // its files equal those on the right

	past   *PastDir // where it is in a revision; nil if it isn't in one
	dir    string   // the directory to read if past is nil
	label  string   // names its directory in messages: "v1:a", "../b"
	prefix string   // comes before the names of its files in messages: "v1:a/", "../b/"
	Right  string   // names the right side in messages, beside label
	notes  []string // for people, about the two sides; some may be empty
}

// Label names the left side for people; empty if l is nil.
func (l *leftModule) Label() string {
	if l == nil {
		return ""
	}
	return l.label
}

// Compare loads both sides of a comparison of a module.
func (r *Run) Compare(s *Subject) (*Module, error) {
	m := &Module{Subject: s, Dir: filepath.ToSlash(s.Dir), search: r.Search}
	return m, r.loadSides(m)
}

// loadSides loads a module and the left side of its comparison into m. If the files of both are the same, it
// doesn't load the left side. A side without a module is empty; see noteEmptySide.
func (r *Run) loadSides(m *Module) error {
	at := repo.In(r.ws.Base(), m.Subject.Dir)
	left, err := r.findLeft(m.Subject.Dir, at)
	if err != nil {
		return err
	}
	opts, err := r.ws.OptionsFor(at)
	if err != nil {
		return err
	}
	now, noRight, err := readIfThere(at, opts) // noRight, like noLeft below, says why a side holds no module
	if err != nil {
		return err
	}
	m.Left, m.Module, m.Diags = left, now.Module, now.Diags
	// The same files as at the revision: the module that was read serves for both sides.
	if p := left.past; p != nil && p.From != nil && noRight == nil && now.Module.Source.IsSameAs(p.From, r.ws.MaxFileSize) {
		left.Module, left.IsSame = now.Module, true
		return nil
	}
	var noLeft error
	if left.past != nil { // the revision is read by the options of the right side
		left.Reading, err = LoadFrom(at, left.past, opts)
	} else {
		if opts, err = r.ws.optionsFor(left.dir, false); err != nil { // false: with the files of --without
			return err
		}
		opts.Sized = nil // only the right side tunes the garbage collector
		left.Reading, noLeft, err = readIfThere(left.dir, opts)
	}
	if err != nil {
		return err
	}
	left.Module.Source.Prefix = left.prefix
	load.ShareSecrets(left.Module.Source, m.Source)
	return r.noteEmptySide(m, noRight, noLeft)
}

// noteEmptySide adds a note to m.Left if one side of the comparison holds no module. It returns an error if both hold
// none, or if the user named both directories. noRight and noLeft say why a side holds none; noLeft is nil for a
// revision.
func (r *Run) noteEmptySide(m *Module, noRight, noLeft error) error {
	left := m.Left
	isNew := len(left.Module.Source.Files) == 0 // the left side holds no module
	label, dir, note := diag.Escape(left.label), diag.Escape(m.Subject.Dir), ""
	switch p := left.past; {
	case p == nil && !r.Search.Recursive && (noRight != nil || noLeft != nil):
		return cmp.Or(noRight, noLeft) // both directories were named, so each must hold a module
	case noRight != nil && isNew:
		return fmt.Errorf("%w; %s holds no module either; for all modules below, use -r", noRight, label)
	case noRight != nil && p == nil: // the left side is another directory
		note = fmt.Sprintf("Note: %s holds no module; %s does", dir, label)
	case noRight != nil: // the left side is a revision
		note = fmt.Sprintf("Note: %s holds no module any more; %s does", dir, label)
	case isNew:
		note = fmt.Sprintf("Note: %s holds no module, so all of %s is new", label, dir)
		if p != nil {
			name, _, _ := strings.Cut(p.Revision.Name, "...")
			note += fmt.Sprintf(". If it was in another directory, name that: %s:DIR", diag.Escape(name))
		}
	}
	left.notes = append(left.notes, note)
	return nil
}

// findLeft finds the left side of the comparison for the module of a directory, without loading it: where it is,
// and how messages name it. dir is the directory as the user gave it, and at is the path to open; the two differ
// under --chdir.
func (r *Run) findLeft(dir, at string) (l *leftModule, err error) {
	l = &leftModule{label: filepath.ToSlash(dir), Right: filepath.ToSlash(dir), dir: at}
	switch s := r.Search; {
	case len(s.Without) > 0: // the same directory, without those overrides on the right
		l.Right += " " + s.withoutText()
	case s.Since != nil: // the same directory at a revision
		return l, r.findPast(l, dir)
	case s.From != "": // another directory
		rel, _ := filepath.Rel(r.Named[0], dir) // dir is that directory or one below it
		other := filepath.Join(s.From, rel)
		l.dir, l.label = repo.In(r.ws.Base(), other), filepath.ToSlash(other)
	}
	l.prefix = l.label + "/"
	return l, nil
}

// findPast completes the left side l for --since: with the directory dir at the revision, and its name there.
func (r *Run) findPast(l *leftModule, dir string) (err error) {
	since := r.Search.Since
	// In A..B, the right side is named after the revision B.
	if since.Right != "" {
		now, err := r.ws.Past(dir, Rev{Name: since.Right})
		if err != nil {
			return err
		}
		l.Right = now.Label()
	}
	if l.past, err = r.ws.Past(dir, *since); err != nil {
		return err
	}
	l.label, l.prefix = l.past.Label(), l.past.Prefix()
	l.notes = []string{l.past.RenameNote(), r.ws.EngineNote(l.past, dir)}
	return nil
}

// readIfThere reads the module in a directory. If there is none, the module is empty, and missing says why.
func readIfThere(dir string, opts load.Options) (r compare.Reading, missing, err error) {
	r, err = compare.Read(dir, opts)
	none := (*load.NoFilesError)(nil)
	isNoDirectory := err != nil && opts.From == nil && !isThere(dir) // From: the module isn't read from the disk
	if isNoDirectory || errors.As(err, &none) {
		return emptyModule(dir, opts), err, nil
	}
	return r, nil, err
}

// pastOf returns the function for found.Past. It finds the modules that the left side has below a directory, so that
// a search with -r also finds those that the right side lacks now. It is nil without -r, and if both sides have the
// same directories.
func (s *Search) pastOf(ws *Workspace, found *discover.Search) func(root string) (*discover.Past, error) {
	switch {
	case !s.Recursive:
		return nil
	case s.Since != nil && !s.Since.HasDir:
		return func(root string) (*discover.Past, error) { return ws.pastBelow(root, *s.Since) }
	case s.From != "":
		other := *found // a copy for the search in that directory: its own Past stays nil
		return func(string) (*discover.Past, error) { return discover.ReadOther(&other, s.From) }
	}
	return nil
}

// A module at a revision of its repository: REV, or REV:DIR if it was in another directory. The
// engine, the settings and the files that flags name are the present ones.

// Repository finds the repository of a directory: the one around the working directory if the directory is in
// that, and else the outermost one around the directory. Inner repositories may be part of a change under
// review, and can't be trusted. A directory without a repository belongs to GIT_DIR or, without that, to the
// repository around the working directory. gitDir is "" unless it comes from GIT_DIR; ok is false without a
// repository.
func (w *Workspace) Repository(dir string) (root, gitDir string, ok bool) {
	here, dir := repo.Root(repo.Absolute(w.Base())), repo.Absolute(dir)
	if repo.IsRoot(here) && repo.IsWithin(dir, here) {
		return here, "", true
	}
	root = repo.Outermost(dir)
	switch gitDir = w.Env("GIT_DIR"); {
	case root != "":
		return root, "", true
	case gitDir != "":
		return repo.Absolute("."), repo.Absolute(gitDir), true
	}
	return here, "", repo.IsRoot(here)
}

// Revision opens a revision of the repository that a directory is in, each once. w.at names the revision on the right
// side of comparisons, if that is one. All others are compared with it, so each gets it as Now.
func (w *Workspace) Revision(dir, name string) (*gitrev.Revision, error) {
	root, gitDir, ok := w.Repository(dir)
	if !ok {
		return nil, fmt.Errorf("%s is not in a Git repository, so it has no revision %s", diag.Escape(dir), diag.Escape(name))
	}
	return w.Revisions.open(root+"\x00"+gitDir+"\x00"+name, func() (*gitrev.Revision, error) {
		revision, err := gitrev.Open(root, gitDir, name)
		if err == nil && w.Tracked {
			revision.IsStored = true
		}
		if err == nil && w.at != "" && w.at != name {
			revision.Now, err = w.Revision(dir, w.at) // calls itself only once, since w.at gets no Now
		}
		return revision, err
	})
}

// RevisionNames lists at most so many branches and tags of the repository that the command runs in. If that
// can't be read, it returns nil: names only help people who mistype.
func (w *Workspace) RevisionNames(most int) []string {
	root, gitDir, ok := w.Repository(w.Base())
	if !ok {
		return nil
	}
	names, _ := gitrev.Names(root, gitDir, most)
	return names
}

// DefaultBranch names the branch that origin/HEAD points to; empty if there is none.
func (w *Workspace) DefaultBranch() string {
	root, gitDir, ok := w.Repository(w.Base())
	if !ok {
		return ""
	}
	return gitrev.DefaultBranch(root, gitDir)
}

// shortHash is the number of digits of a hash that people see.
const shortHash = 12

// LabelOf returns the value of a flag with each hash in it replaced for people: by its branch or tag, or else by
// its first digits. For example, 4f1c…:modules/a..main becomes v1.2:modules/a..main.
func (w *Workspace) LabelOf(n *Rev) string {
	if n == nil {
		return ""
	}
	// For 4f1c...9e2a, with the tags v1 for 4f1c and v2 for 9e2a, Name is the whole value, because a merge base
	// depends on both revisions, and Right is 9e2a. For 4f1c alone, Right is empty, and so is its short name.
	left := strings.TrimSuffix(n.Name, "..."+n.Right)                // 4f1c
	text := w.shortName(left) + strings.TrimPrefix(n.String(), left) // v1...9e2a
	return strings.TrimSuffix(text, n.Right) + w.shortName(n.Right)  // v1...v2
}

// shortName returns the name of one revision for people: LabelOf needs it for both sides.
func (w *Workspace) shortName(rev string) string {
	root, gitDir, ok := w.Repository(w.Base())
	if !ok || !gitrev.IsHash(rev) {
		return gitrev.ShortName(rev)
	}
	return cmp.Or(gitrev.NameOf(root, gitDir, rev), rev[:min(len(rev), shortHash)])
}

// Origin names the repository around the working directory, and its checked-out branch and commit. Both are
// empty outside a repository; revision is empty without a commit.
func (w *Workspace) Origin() (repository, revision string) {
	root, gitDir, ok := w.Repository(w.Base())
	if !ok {
		return "", ""
	}
	branch, commit, err := gitrev.Head(root, gitDir)
	if branch != "" && err == nil {
		commit = branch + ", " + commit
	}
	return filepath.Base(root), commit
}

// A PastDir is the directory of a module at a revision.
type PastDir struct {
	Revision *gitrev.Revision
	Path     string         // from the root of the repository
	From     load.Directory // nil if the revision has no such directory
	// Now is the present path of the directory, if a rename was followed; otherwise empty.
	Now string
}

// Label names the directory for people.
func (p *PastDir) Label() string {
	if p.Path == "." {
		return p.Revision.Name
	}
	return p.Revision.Name + ":" + p.Path
}

// Past finds the directory of a module at a revision. dir is the present directory, as the command was given
// it. If the revision doesn't have it, Past follows a rename; else From is nil.
func (w *Workspace) Past(dir string, n Rev) (*PastDir, error) {
	at := repo.In(w.Base(), dir)
	revision, err := w.Revision(at, n.Name)
	if err != nil {
		return nil, err
	}
	// A given DIR starts at the root of the repository unless it starts with ./ or ../, as for git. With the slash,
	// Clean drops each .. that would lead above the root.
	p := &PastDir{Revision: revision, Path: path.Clean("/" + n.Dir)[1:]}
	if n.HasDir && path.IsAbs(n.Dir) {
		return nil, fmt.Errorf("%s:%s: DIR is a path from the root of the repository; remove the slash at its start", diag.Escape(n.Name), diag.Escape(n.Dir))
	}
	// Otherwise it is the path of a directory of the working tree: of DIR if given, else of dir.
	isRelative := n.Dir == "." || n.Dir == ".." || strings.HasPrefix(n.Dir, "./") || strings.HasPrefix(n.Dir, "../")
	if !n.HasDir || isRelative {
		inTree := at
		if n.HasDir {
			inTree = repo.In(w.Base(), filepath.FromSlash(n.Dir))
		}
		var ok bool
		if p.Path, ok = revision.PathOf(inTree); !ok {
			name, _, _ := strings.Cut(n.Name, "...")
			return nil, fmt.Errorf("%s is not in the working tree of the repository; name the directory: %s:DIR", diag.Escape(inTree), diag.Escape(name))
		}
	}
	p.Path = path.Clean(p.Path)
	// If the revision lacks it, that is an error for a given DIR; else the directory may have been renamed.
	found, err := revision.Directory(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && n.HasDir:
		return nil, fmt.Errorf("%s has no directory %s", diag.Escape(n.Name), diag.Escape(p.Path))
	case errors.Is(err, fs.ErrNotExist):
		return p, p.followRename()
	case err != nil:
		return nil, err
	}
	p.From = found
	return p, nil
}

// followRename sets Path to the earlier name of the directory, and From to its contents, if the name is
// certain: all renamed configuration files in it come from one directory; none from there was renamed
// elsewhere; and no configuration is left there. Otherwise it changes nothing.
func (p *PastDir) followRename() error {
	origins := map[string]bool{}          // directories from which files came into this one
	goals := map[string]map[string]bool{} // by directory: those into which its files went
	for to, from := range p.Revision.Renames() {
		if !discover.IsConfigName(path.Base(to)) || !discover.IsConfigName(path.Base(from)) {
			continue
		}
		if path.Dir(to) == p.Path {
			origins[path.Dir(from)] = true
		}
		if goals[path.Dir(from)] == nil {
			goals[path.Dir(from)] = map[string]bool{}
		}
		goals[path.Dir(from)][path.Dir(to)] = true
	}
	// All files must come from one directory, which must be gone.
	if len(origins) != 1 {
		return nil
	}
	for from := range origins {
		if len(goals[from]) > 1 || p.isKept(from) {
			return nil
		}
		found, err := p.Revision.Directory(from)
		if err != nil {
			return err
		}
		p.Path, p.From, p.Now = from, found, p.Path
	}
	return nil
}

// isKept reports whether a directory of the revision still holds configuration on the right side of the comparison:
// in the revision Now or, without one, in the working tree.
func (p *PastDir) isKept(dir string) bool {
	if p.Revision.Now == nil {
		return discover.MayHoldModule(filepath.Join(p.Revision.Root, filepath.FromSlash(dir)))
	}
	now, err := p.Revision.Now.Directory(dir)
	return err == nil && discover.HoldsModule(now, engine.Default())
}

// RenameNote returns a note that the directory had another name; empty if it didn't.
func (p *PastDir) RenameNote() string {
	if p.Now == "" {
		return ""
	}
	return fmt.Sprintf("Note: %s was %s at %s", diag.Escape(p.Now), diag.Escape(p.Path), diag.Escape(p.Revision.Name))
}

// MergeNote returns a note about the revision that a merge commit is compared with, because users may expect
// one of its parents or their merge base; empty for any other commit.
func (p *PastDir) MergeNote() string {
	if !p.Revision.IsBeforeMerge() {
		return ""
	}
	return fmt.Sprintf("Note: HEAD is a merge commit; it is compared with %s as given, so everything that its parents added since then is new.", diag.Escape(p.Revision.Name))
}

// Prefix returns what messages print before the names of earlier files.
func (p *PastDir) Prefix() string {
	if p.Path == "." {
		return p.Label() + ":"
	}
	return p.Label() + "/"
}

// LoadFrom loads the module of a directory as it was in the past. A module that didn't exist is empty.
func LoadFrom(dir string, p *PastDir, opts load.Options) (compare.Reading, error) {
	opts.From, opts.Sized = p.From, nil // Sized: only the size of the present module tunes the garbage collector
	if p.From == nil {
		return emptyModule(dir, opts), nil
	}
	was, _, err := readIfThere(dir, opts)
	return was, err
}

// emptyModule returns a module without files.
func emptyModule(dir string, opts load.Options) compare.Reading {
	m, diags := merge.Files(&load.Module{Dir: dir, Engine: opts.Engine, From: opts.From}, merge.Options{})
	return compare.Reading{Module: m, Diags: diags}
}

// EngineNote returns a note if the version files of a revision choose another engine than the present one,
// which reads both sides; otherwise it is empty.
func (w *Workspace) EngineNote(p *PastDir, dir string) string {
	now, err := w.Engine(repo.In(w.Base(), dir))
	if err != nil || p.From == nil || w.IsEngineGiven() {
		return ""
	}
	// Choose as for the present, but by the files of the revision.
	wishes := w.engineWishes()
	if wishes.Settings != nil { // read the settings files of the revision
		past := policy.Files{Source: policy.Tree{Files: p.Revision, Called: func(name string) string { return name }}}
		wishes.Settings = func(dir string) (enginechoice.EngineName, error) { return engineInSettings(&past, dir) }
	}
	then, err := enginechoice.Choose(wishes, enginechoice.InTree(p.Revision, p.Path, load.Options{MaxFileSize: w.MaxFileSize, From: p.From}))
	if err != nil || then.IsDefault() || then.Release == now.Release {
		return ""
	}
	return fmt.Sprintf("Note: %s chooses %s at %s; %s is followed on both sides. To follow another engine, use --engine.",
		then.From, then.Release, diag.Escape(p.Revision.Name), now.Release)
}

// isThere reports whether a name exists, even as a broken link.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// pastBelow finds the directories that a revision has below a present one, root. IsMoved of the result is movedBelow.
func (w *Workspace) pastBelow(root string, name Rev) (*discover.Past, error) {
	was, err := w.Past(root, name)
	if err != nil || was.From == nil {
		return &discover.Past{}, err
	}
	past, err := discover.ReadPast(was.Revision, was.Path)
	if err != nil {
		return nil, err
	}
	past.IsMoved = func(now []string) func(string) bool { return w.movedBelow(root, was.Path, name, now) }
	return past, nil
}

// movedBelow returns a function that reports whether a directory of a revision doesn't count as removed: it has
// another name now, or a sparse checkout leaves it out, of which the function prints a note. It gets the directory's
// path from root, a directory of the working tree whose path in the revision is inRev. now are the present modules.
func (w *Workspace) movedBelow(root, inRev string, name Rev, now []string) func(rel string) bool {
	// The earlier names of directories that were renamed.
	moved := map[string]bool{}
	for _, dir := range now {
		if other, err := w.Past(dir, name); err == nil && other.Now != "" {
			moved[other.Path] = true
		}
	}
	// The directories that a sparse checkout leaves out, computed on demand.
	sparse := sync.OnceValue(func() map[string]bool {
		at, gitDir, _ := w.Repository(repo.In(w.Base(), root))
		dirs, _ := gitrev.SparseDirs(at, gitDir) // git has answered about this repository before
		return dirs
	})
	return func(rel string) bool {
		inRepo, dir := path.Join(inRev, rel), filepath.Join(root, filepath.FromSlash(rel))
		switch {
		case moved[inRepo]:
			return true
		case w.Tracked || isThere(repo.In(w.Base(), dir)) || !sparse()[inRepo]:
			return false
		}
		w.NoteOnce("Note: " + diag.Escape(dir) + " isn't compared, because a sparse checkout leaves it out; to compare what the index has, use --tracked")
		return true
	}
}

// A Rev is the value of a flag that takes a revision: A, A:DIR, A..B or A...B.
type Rev struct {
	Text   string // as it was given
	Left   string // the part of it that names the left side
	Name   string // of the left revision: A, or for a merge base A... or A...B
	Dir    string // DIR
	HasDir bool   // it has a DIR, even an empty one
	Right  string // B; empty for the working tree
}

// String returns the value as it was given; empty for nil.
func (n *Rev) String() string {
	if n == nil {
		return ""
	}
	return cmp.Or(n.Text, n.Name)
}

// ForOneModule returns the error for a value that names the directory of one module in a run on several.
func (n *Rev) ForOneModule(flag string) error {
	return fmt.Errorf("--%s %s names one directory for several modules; use --%[1]s %[3]s, or name one DIR",
		flag, diag.Escape(n.String()), diag.Escape(strings.Replace(n.String(), ":"+n.Dir, "", 1)))
}

// A revError is a text that can't be the name of a revision.
type revError struct{ flag, text string }

// Error suggests the bare name for a revision after git:, a former spelling.
func (e *revError) Error() string {
	if rest, isPrefixed := strings.CutPrefix(e.text, "git:"); isPrefixed && rest != "" {
		return fmt.Sprintf("--%s takes the bare name of a revision; use --%[1]s %s", e.flag, diag.Escape(rest))
	}
	return fmt.Sprintf("--%s needs the name of a revision, such as main or HEAD~1", e.flag)
}

// ParseRev parses the value of a flag: REV, REV:DIR, A..B or A...B. A colon outside of braces starts the
// directory, and dots end it, unless they are a path's "..". For example, main:dir..v2 has the Left main:dir and the
// Name main, and main...v2 has itself as both, because a merge base depends on both revisions.
func ParseRev(flag, text string) (Rev, error) {
	colon, dots := gitrev.Outside(text, ":"), gitrev.Outside(text, "..") // skips main@{2024-05-01 10:00}
	hasDir := colon >= 0 && (dots < 0 || colon < dots)                   // a later colon is in the right revision
	if hasDir {
		dots = dotsIn(text, colon+1)
	}
	// First split at the dots, then the left part at the colon: main:dir..v2 into main:dir and v2, and that into
	// main and dir. A third dot asks for the merge base.
	n, isMergeBase := Rev{Text: text, Left: text}, false
	if dots >= 0 {
		n.Left = text[:dots]
		n.Right, isMergeBase = strings.CutPrefix(text[dots+2:], ".")
	}
	n.Name = n.Left
	if hasDir {
		n.Name, n.Dir, n.HasDir = n.Left[:colon], n.Left[colon+1:], true
	}
	// Refused: no name, more dots, and a colon in the right revision (at).
	at := gitrev.Outside(n.Right, ":")
	switch {
	case n.Name == "" || n.Name == "git" && n.HasDir: // git:REV was the spelling of REV in former versions
		return n, &revError{flag, text}
	case gitrev.Outside(n.Right, "..") >= 0:
		return n, fmt.Errorf("--%s takes two revisions at most, not %s", flag, diag.Escape(text))
	case at >= 0:
		end := len(text) - len(n.Right) + at // where the right name ends; for A..B:DIR, suggest A + :DIR + ..B
		return n, fmt.Errorf("--%s takes a directory behind the left revision; use --%[1]s %s", flag, diag.Escape(text[:dots]+text[end:]+text[dots:end]))
	case isMergeBase: // A...B
		n.Name += "..." + n.Right
		n.Left = text
	}
	return n, nil
}

// dotsIn returns the offset of the dots that end DIR in a text such as REV:DIR..REV; -1 if none do. DIR begins at the
// offset start. A path element that is only ".." doesn't end it: in main:../b..v2, the second dots do.
func dotsIn(text string, start int) int {
	for name := range strings.SplitSeq(text[start:], "/") {
		if dots := strings.Index(name, ".."); dots >= 0 && name != ".." {
			return start + dots
		}
		start += len(name) + 1 // where the next path element starts
	}
	return -1
}

// ParseLeft is ParseRev for a flag that takes a single revision.
func ParseLeft(flag, text string) (Rev, error) {
	n, err := ParseRev(flag, text)
	if err == nil && n.Right != "" {
		err = fmt.Errorf("--%s takes one revision, to compare with the working tree; leave out %s", flag, diag.Escape(n.Right))
	}
	return n, err
}

// revisions holds the revisions that a run reads, each opened once.
type revisions struct {
	opened sync.Map // by key: functions that call open, once
}

// open opens a revision with a function, once for each key. A failed attempt is kept, too.
func (r *revisions) open(key string, open func() (*gitrev.Revision, error)) (*gitrev.Revision, error) {
	opened, _ := r.opened.LoadOrStore(key, sync.OnceValues(open))
	return opened.(func() (*gitrev.Revision, error))()
}

// Close ends the git processes of all revisions.
func (r *revisions) Close() {
	r.opened.Range(func(_, opened any) bool {
		if revision, err := opened.(func() (*gitrev.Revision, error))(); err == nil {
			revision.Close()
		}
		return true
	})
	r.opened.Clear()
}
