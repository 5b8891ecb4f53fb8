package gitrev

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A Revision is the tree of a revision. Several goroutines may read it.
type Revision struct {
	Name string // as it was given
	// Root is the directory that a checkout fills; empty if there is none.
	Root string
	top  snapshot
	// isStored means that files are read as they are stored, not as a checkout has them.
	isStored bool

	renames       func() map[string]string // computed once
	isBeforeMerge func() bool              // computed once

	mutex      sync.Mutex // guards the following fields
	trees      map[string]*tree
	submodules map[string]*repository
	attributes map[string]*attributes // by submodule
	ignores    *pipe                  // nil until needed
}

// Open finds a revision in the repository that fills the directory root when it is checked
// out. If gitDir is set that is the repository, and root only where git runs.
func Open(root, gitDir, name string) (*Revision, error) {
	repo, err := open(root, gitDir)
	if err != nil {
		return nil, err
	}
	id, err := repo.resolve(name)
	if err != nil {
		repo.close()
		return nil, err
	}
	return newRevision(name, repo, id), nil
}

func newRevision(name string, repo *repository, top string) *Revision {
	r := &Revision{
		Name: name, Root: repo.root, top: snapshot{repo: repo, tree: top},
		trees: map[string]*tree{}, submodules: map[string]*repository{},
		attributes: map[string]*attributes{},
	}
	r.renames, r.isBeforeMerge = sync.OnceValue(r.findRenames), sync.OnceValue(r.findMerge)
	return r
}

// AsStored has files read as they are stored, for a comparison with an index. It returns the
// revision, and is called before anything is read.
func (r *Revision) AsStored() *Revision {
	r.isStored = true
	return r
}

// Close ends what runs for a revision.
func (r *Revision) Close() {
	r.mutex.Lock()
	repos, attributes, ignores := slices.Collect(maps.Values(r.submodules)), slices.Collect(maps.Values(r.attributes)), r.ignores
	r.mutex.Unlock()
	if ignores != nil {
		ignores.close()
	}
	for _, repo := range append(repos, r.top.repo) {
		repo.close()
	}
	for _, a := range attributes {
		a.close()
	}
}

// Read reads a file by its path from the root of the repository. The error is fs.ErrNotExist if
// there is none.
func (r *Revision) Read(name string, limit int64) ([]byte, error) {
	at, err := r.lookup(name)
	if err != nil {
		return nil, err
	}
	return r.read(at, limit)
}

// named is the entry that a path from the root of the repository names. A link is not followed.
func (r *Revision) named(name string) (place, error) {
	dir, err := r.lookup(path.Dir(name))
	switch {
	case path.Clean(name) == ".":
		return dir, err
	case err != nil || dir.outside != "" || dir.mode != treeMode:
		return place{}, fs.ErrNotExist
	}
	return r.child(dir, path.Base(name))
}

// Has reports whether a path from the root of the repository names a file, a directory or a link,
// even a broken one.
func (r *Revision) Has(name string) bool {
	_, err := r.named(name)
	return err == nil
}

// IsDirectory reports whether a path from the root of the repository names a directory, a
// submodule, even one that isn't checked out, or a link to either.
func (r *Revision) IsDirectory(name string) bool {
	at, err := r.named(name)
	if err == nil && at.mode == linkMode {
		at, err = r.lookup(name)
	}
	return err == nil && (at.mode == treeMode || at.mode == submoduleMode)
}

// EscapesRepo reports whether a path passes through a link out of the repository, so that messages
// may not quote the target.
func (r *Revision) EscapesRepo(name string) bool {
	at, err := r.lookup(name)
	return err == nil && at.outside != ""
}

// read reads the file at a place.
func (r *Revision) read(at place, limit int64) ([]byte, error) {
	switch {
	case at.outside != "" && filepath.IsAbs(at.outside):
		return input.Read(at.outside, limit)
	case at.outside != "" && r.Root == "":
		return nil, errors.New("it is a link that points outside the repository, which isn't checked out")
	case at.outside != "":
		return input.Read(filepath.Join(r.Root, filepath.FromSlash(at.outside)), limit)
	case at.mode == treeMode:
		return nil, errors.New("it is a directory, not a file")
	case at.mode == unmergedMode:
		return nil, errUnmerged
	}
	text, err := at.repo.objects.read(at.id, "blob", limit)
	if err != nil {
		return nil, r.unreadable(at.path, err)
	}
	return r.checkedOut(at, text, limit)
}

// A Directory is a directory of a revision.
type Directory struct {
	revision *Revision
	path     string // from the root of the repository
	at       place  // its target
	*tree
}

// Directory finds a directory by its path from the root of the repository, with slashes.
// The error is fs.ErrNotExist if the revision has none.
func (r *Revision) Directory(name string) (*Directory, error) {
	at, err := r.lookup(name)
	switch {
	case err != nil:
		return nil, err
	case at.outside != "":
		return nil, fmt.Errorf("%s is a link that points outside the repository at %s", diag.Escape(name), diag.Escape(r.Name))
	case at.mode != treeMode:
		return nil, fmt.Errorf("%s is not a directory at %s", diag.Escape(name), diag.Escape(r.Name))
	}
	t, err := r.entries(at.snapshot, at.id)
	if err != nil {
		return nil, r.unreadable(name, err)
	}
	return &Directory{revision: r, path: name, at: at, tree: t}, nil
}

// Of is the name of the revision.
func (d *Directory) Of() string { return d.revision.Name }

// Names implements load.Directory.
func (d *Directory) Names() (names []string, links map[string]bool, err error) {
	links = map[string]bool{}
	for _, e := range d.list {
		if e.mode == treeMode || e.mode == submoduleMode {
			continue
		}
		names = append(names, e.name)
		if e.mode == linkMode {
			links[e.name] = true
		}
	}
	slices.Sort(names)
	return names, links, nil
}

// Read implements load.Directory.
func (d *Directory) Read(name string, limit int64) ([]byte, error) {
	at, err := d.follow(name)
	var text []byte
	if err == nil {
		text, err = d.revision.read(at, limit)
	}
	if isLink := at.mode == linkMode || at.outside != ""; isLink && errors.Is(err, fs.ErrNotExist) {
		return nil, errDangling
	}
	return text, err
}

var errDangling = errors.New("the target of the symbolic link does not exist")

// follow finds a file, or its target if it is a link. If the target doesn't exist, it returns the
// link and the error.
func (d *Directory) follow(name string) (place, error) {
	e, ok := d.find(name)
	if !ok {
		return place{}, fs.ErrNotExist
	}
	at := place{snapshot: d.at.snapshot, entry: e, path: path.Join(d.at.path, name)}
	if e.mode != linkMode {
		return at, nil
	}
	to, err := d.revision.lookup(at.path)
	if err != nil {
		return at, err
	}
	return to, nil
}

// EscapesRepo implements load.Directory.
func (d *Directory) EscapesRepo(name string) bool {
	at, err := d.follow(name)
	return at.outside != "" || err != nil && at.mode == linkMode
}

// PathOf is the path of a directory of the disk from the root of the repository, with
// slashes.
func (r *Revision) PathOf(dir string) (string, bool) {
	whole, err := filepath.Abs(dir)
	if err != nil || r.Root == "" {
		return "", false
	}
	rel, err := filepath.Rel(r.Root, whole)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Real resolves the links in a path, as far as the revision has it: below a directory that it
// doesn't have, names stay.
func (r *Revision) Real(name string) string {
	name = path.Clean(name)
	for at, rest := name, ""; ; at, rest = path.Dir(at), path.Join(path.Base(at), rest) {
		if found, err := r.lookup(at); err == nil && found.outside == "" {
			return path.Join(found.path, rest)
		}
		if at == "." || at == "/" {
			return name
		}
	}
}

// Walk visits a directory and those below it, each with its path from the first and the names of
// its files. If visit returns fs.SkipDir, the contents of a directory are skipped. Links are not
// followed, and submodules only with missing: that is called for each submodule that can't be
// followed, with its path, the id of its commit, and the reason.
func (r *Revision) Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error {
	d, err := r.Directory(name)
	if err != nil {
		return err
	}
	return d.walk("", visit, missing)
}

// maxPath is how many bytes a path has at most that is walked. No system checks out longer
// ones.
const maxPath = 1 << 15

func (d *Directory) walk(rel string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error {
	names, _, _ := d.Names()
	switch err := visit(rel, names); {
	case errors.Is(err, fs.SkipDir):
		return nil
	case err != nil:
		return err
	}
	for _, e := range d.list {
		isFollowed := e.mode == submoduleMode && missing != nil
		if e.mode != treeMode && !isFollowed || len(d.path)+len(e.name) > maxPath {
			continue
		}
		below, err := d.revision.Directory(path.Join(d.path, e.name))
		if err != nil && isFollowed {
			missing(path.Join(rel, e.name), e.id, err)
			continue
		}
		if err != nil {
			return err
		}
		if err := below.walk(path.Join(rel, e.name), visit, missing); err != nil {
			return err
		}
	}
	return nil
}
