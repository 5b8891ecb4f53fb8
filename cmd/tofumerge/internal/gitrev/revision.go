// Package gitrev reads module directories as they are in a revision of a Git repository, or in its
// index, through the installed git.
//
// From the directory of a repository and the name of a revision, it makes directories of its tree
// for package load, with the bytes that Git stores. Nothing is checked out. If a revision is compared
// with the working tree, a file that Git here converts has the line ends of the working tree, so that
// they don't look like a change. Reading a file whose stored form differs otherwise is an error: one in Git
// LFS, with a filter, an identifier or another encoding. So is reading a path with a conflict. A path that is
// only intended to be added doesn't exist. Objects are read on demand; one process of git answers for all
// objects of a repository.
//
// The repository may come from a stranger. Names of revisions reach git on its standard input only.
// No hook, pager, file system monitor, text conversion or filter runs, objects are never replaced,
// and nothing is fetched. A link inside the tree is followed; one that points outside means the file on
// the disk that it would point to if it were checked out, which must not be quoted.
package gitrev

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
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
	// IsStored means that files are read as the index stores them, without converting line ends, because no file of
	// the working tree is compared. It is set before anything is read.
	IsStored bool
	// Now, if set, is the revision that this one is compared with, instead of the index and HEAD. It is
	// set before anything is read.
	Now *Revision

	// Renames lists which files of the index, or of Now, by path, have another name in the revision. If git
	// doesn't know, there are none. It is computed once.
	Renames func() map[string]string
	// IsBeforeMerge reports whether HEAD is a merge commit and the revision is another commit. If git doesn't
	// know, it is false. A shallow clone knows it, too, though it doesn't have the parents.
	IsBeforeMerge func() bool

	ignores    *pipe    // answers which pattern ignores a path
	submodules sync.Map // by path: functions that open their repositories, once
	trees      sync.Map // caches *tree, by submodule and id
}

// Open opens a revision of the repository whose working tree is the directory root. If gitDir is set, it is
// the repository, and git only runs in root. Close the revision after use.
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

// newRevision returns a revision of a repository; name is for messages, top the id of its tree. It reads nothing: git
// finds renames and the merge when they are first asked for.
func newRevision(name string, repo *repository, top string) *Revision {
	r := &Revision{
		Name: name, Root: repo.root, top: snapshot{repo: repo, tree: top},
		ignores: &pipe{git: repo.git, args: []string{
			"check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching",
		}},
	}
	r.Renames, r.IsBeforeMerge = sync.OnceValue(r.findRenames), sync.OnceValue(r.findMerge)
	return r
}

// Close ends the git processes of a revision and of its submodules. Later reads fail.
func (r *Revision) Close() {
	r.ignores.close()
	r.top.repo.close()
	for _, open := range r.submodules.Range {
		if repo, err := open.(func() (*repository, error))(); err == nil {
			repo.close()
		}
	}
}

// Read reads a file by its path from the root of the repository. The error is fs.ErrNotExist if the revision
// has no such file.
func (r *Revision) Read(name string, limit int64) ([]byte, error) {
	at, err := r.lookup(name)
	if err != nil {
		return nil, err
	}
	return r.read(at, limit)
}

// entryAt returns the entry at a path from the root of the repository. Like lstat, it follows links on the way, but
// not an entry that is itself a link.
func (r *Revision) entryAt(name string) (place, error) {
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
	_, err := r.entryAt(name)
	return err == nil
}

// IsDirectory reports whether a path from the root of the repository names a directory, a submodule, or a link to one
// of them. A submodule need not be checked out, unless a link leads to it.
func (r *Revision) IsDirectory(name string) bool {
	at, err := r.entryAt(name)
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

// read returns the content of the file at a place. If a link led out of the repository, it reads the disk, as the
// revision doesn't have that file. Otherwise it returns the stored text, as readable converts it.
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
		return nil, errors.New("it has a merge conflict; resolve it, and add the file with git add")
	}
	text, err := at.repo.read(at.id, "blob", limit)
	if err != nil {
		return nil, r.unreadable(at.path, err)
	}
	return r.readable(at, text, limit)
}

// A Directory is a directory of a revision. It implements load.Directory.
type Directory struct {
	revision *Revision
	path     string // from the root of the repository
	at       place  // what path leads to, with links followed
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

// Of returns the name of the revision.
func (d *Directory) Of() string { return d.revision.Name }

// Names implements load.Directory. It leaves out directories and submodules.
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

// Read implements load.Directory. A broken link isn't fs.ErrNotExist, because the directory has the name.
func (d *Directory) Read(name string, limit int64) ([]byte, error) {
	at, err := d.follow(name)
	var text []byte
	if err == nil {
		text, err = d.revision.read(at, limit)
	}
	if isLink := at.mode == linkMode || at.outside != ""; isLink && errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the target of the symbolic link does not exist")
	}
	return text, err
}

// follow returns the place of a file of the directory or, if the file is a link, of what it leads to. For a broken
// link it returns the link itself and the error.
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

// EscapesRepo implements load.Directory: whether a name is a link out of the repository, or a broken one.
func (d *Directory) EscapesRepo(name string) bool {
	at, err := d.follow(name)
	return at.outside != "" || err != nil && at.mode == linkMode
}

// PathOf returns the path from the root of the repository, with slashes, of a directory on the disk. It reports
// false if the directory is outside, or if the repository has no working tree.
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

// Real resolves the links in a path from the root of the repository. From the first name on that the revision lacks,
// the path stays as it is.
func (r *Revision) Real(name string) string {
	name = path.Clean(name)
	for at, rest := name, ""; ; at, rest = path.Dir(at), path.Join(path.Base(at), rest) { // try ever shorter prefixes
		if found, err := r.lookup(at); err == nil && found.outside == "" {
			return path.Join(found.path, rest)
		}
		if at == "." || at == "/" {
			return name
		}
	}
}

// Walk visits a directory and all directories below it. visit gets the path from the first one and the names
// of the files; if it returns fs.SkipDir, Walk skips what is below. Walk follows no links, and submodules
// only if missing is set: it calls missing for each submodule that it can't read, with its path, the id of
// its commit, and the reason.
func (r *Revision) Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error {
	d, err := r.Directory(name)
	if err != nil {
		return err
	}
	return d.walk("", visit, missing)
}

// maxPath is the longest path, in bytes, that Walk visits. No system checks out longer ones.
const maxPath = 1 << 15

// walk is Walk from one directory on; rel is its path from the first.
func (d *Directory) walk(rel string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error {
	names, _, _ := d.Names()
	switch err := visit(rel, names); {
	case errors.Is(err, fs.SkipDir): // visit wants nothing below
		return nil
	case err != nil:
		return err
	}
	for _, e := range d.list {
		isSubmodule := e.mode == submoduleMode && missing != nil // without missing, they are skipped
		isVisited := e.mode == treeMode || isSubmodule
		if !isVisited || len(d.path)+len(e.name) > maxPath {
			continue // a file, or too deep
		}
		below, err := d.revision.Directory(path.Join(d.path, e.name))
		if err != nil && isSubmodule {
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

// A mode is the kind of an entry of a tree, in git's octal digits without leading zeros, or unmergedMode.
type mode string

// The modes that matter. All others are files.
const (
	treeMode      mode = "40000"
	linkMode      mode = "120000"
	submoduleMode mode = "160000"
)

// An entry is one name of a tree.
type entry struct {
	name string
	mode mode
	id   string
}

const (
	maxTree  = 64 << 20 // bytes of a tree, which is a list of names
	maxLink  = 4096     // bytes of a link's target
	maxLinks = 40       // links on a way, as on Linux
)

// A snapshot is the whole tree of a revision in one repository: the outermost one, or a submodule's.
type snapshot struct {
	repo      *repository
	tree      string // its id
	submodule string // the path of the submodule from the outermost root; empty for the outermost repository
}

// A tree holds the entries of a directory.
type tree struct {
	list   []entry
	byName map[string]int // indexes in list
}

// find returns the entry with a name.
func (t *tree) find(name string) (e entry, ok bool) {
	i, ok := t.byName[name]
	if ok {
		e = t.list[i]
	}
	return e, ok
}

// entries returns the entries of the directory whose tree object has an id. It reads each tree once.
func (r *Revision) entries(s snapshot, id string) (*tree, error) {
	// Submodules have repositories of their own, so an id alone doesn't suffice.
	key := s.submodule + "\x00" + id
	if known, ok := r.trees.Load(key); ok {
		return known.(*tree), nil
	}
	text, err := s.repo.read(id, "tree", maxTree)
	switch {
	case errors.As(err, new(input.TooLargeError)):
		return nil, fmt.Errorf("a directory has more than %d bytes of names", maxTree)
	case err != nil:
		return nil, err
	}
	found, err := parseTree(text, len(id)/2) // an id has two digits for each byte
	if err == nil {
		r.trees.Store(key, found)
	}
	return found, err
}

// parseTree parses the content of a tree object: for each entry its mode, a blank, its name, a zero and the idSize
// bytes of its id.
func parseTree(text []byte, idSize int) (*tree, error) {
	t := &tree{byName: map[string]int{}}
	for len(text) > 0 {
		head, rest, ok := bytes.Cut(text, []byte{0})
		kind, name, isPair := strings.Cut(string(head), " ")
		isOdd := name == "" || name == "." || name == ".." || strings.Contains(name, "/") // git refuses to write these
		if !ok || !isPair || isOdd || len(rest) < idSize {
			return nil, errors.New("its list of names is malformed")
		}
		t.byName[name] = len(t.list)
		t.list = append(t.list, entry{name, mode(strings.TrimLeft(kind, "0")), hex.EncodeToString(rest[:idSize])})
		text = rest[idSize:]
	}
	return t, nil
}

// A place is what a path leads to once links are followed: an entry, or a file outside of the repository.
type place struct {
	snapshot
	entry
	path string // from the root, with links resolved; attributes are those of this path
	// outside is the path of a file outside of the repository that a link points to, relative to
	// the root if it is not absolute. Then there is no entry.
	outside string
}

// lookup returns what a path from the root of the repository leads to. It follows all links, and enters submodules.
func (r *Revision) lookup(name string) (place, error) {
	return r.follow(name, maxLinks)
}

// follow is lookup with the number of links that it may still follow. At a link it starts again from the root, with
// the link's target and the rest of the path. If the target is out of the repository, the result has outside set,
// and no entry.
func (r *Revision) follow(name string, links int) (place, error) {
	at := place{snapshot: r.top, entry: entry{mode: treeMode, id: r.top.tree}}
	rest := strings.Split(path.Clean("/" + name)[1:], "/") // at the root, one empty part
	for i, part := range rest {
		if part == "" {
			continue
		}
		if at.mode == submoduleMode { // the rest is in its repository
			var err error
			if at, err = r.enter(at); err != nil {
				return place{}, err
			}
		}
		if at.mode != treeMode {
			return place{}, fs.ErrNotExist
		}
		// Step down to the entry, unless it is a link.
		found, err := r.child(at, part)
		if err != nil {
			return place{}, err
		}
		if found.mode != linkMode {
			at = found
			continue
		}
		if links == 0 {
			return place{}, errors.New("too many links point to one another")
		}
		// Start again with the link's target, a path from the root unless it is absolute.
		to, err := r.linkTarget(found)
		if err != nil {
			return place{}, err
		}
		next := path.Join(append([]string{to}, rest[i+1:]...)...) // the target, and what follows the link
		if path.IsAbs(to) || to == ".." || strings.HasPrefix(to, "../") {
			return place{outside: next}, nil
		}
		return r.follow(next, links-1)
	}
	// A submodule stands for its root.
	if at.mode == submoduleMode {
		return r.enter(at)
	}
	return at, nil
}

// linkTarget returns the target of the link at a place: an absolute path, or one from the root of the repository,
// which starts with ../ if it points outside.
func (r *Revision) linkTarget(link place) (string, error) {
	text, err := link.repo.read(link.id, "blob", maxLink)
	if err != nil {
		return "", fmt.Errorf("can't read the link %s: %w", diag.Escape(link.path), err)
	}
	if to := string(text); path.IsAbs(to) {
		return to, nil
	}
	return path.Join(path.Dir(link.path), string(text)), nil
}

// child returns the entry with a name in the directory at a place, without following links; fs.ErrNotExist if there
// is none.
func (r *Revision) child(at place, name string) (place, error) {
	t, err := r.entries(at.snapshot, at.id)
	if err != nil {
		return place{}, r.unreadable(at.path, err)
	}
	e, ok := t.find(name)
	if !ok {
		return place{}, fs.ErrNotExist
	}
	return place{snapshot: at.snapshot, entry: e, path: path.Join(at.path, name)}, nil
}

// enter returns the root of the submodule at a place, at the commit that the surrounding tree names. It opens the
// repository of each submodule once.
func (r *Revision) enter(at place) (place, error) {
	// open opens the repository on its first call, and returns the same on later ones.
	open, _ := r.submodules.LoadOrStore(at.path, sync.OnceValues(func() (*repository, error) {
		return r.top.repo.openSubmodule(at.path)
	}))
	repo, err := open.(func() (*repository, error))()
	if err != nil {
		return place{}, err
	}
	found, err := repo.find(at.id + "^{tree}")
	if err != nil {
		return place{}, fmt.Errorf("%s has the submodule %s at %s, which isn't fetched; run: git -C %s fetch", diag.Escape(r.Name), diag.Escape(at.path), at.id, diag.Escape(at.path))
	}
	s := snapshot{repo: repo, tree: found.id, submodule: at.path}
	return place{snapshot: s, entry: entry{mode: treeMode, id: found.id}, path: at.path}, nil
}

// unreadable returns the error for a file or directory, name, that git couldn't read because of err. If a partial
// clone lacks it, the error names the command that fetches it: git archive reads one directory of the revision, and
// git fetches what it reads. Otherwise the error is err.
func (r *Revision) unreadable(name string, err error) error {
	// The environment of git commands forbids them to fetch. They say "could not fetch ... from promisor remote" or
	// "transport 'https' not allowed".
	failed := (*gitError)(nil)
	isUnfetched := errors.As(err, &failed) && (strings.Contains(failed.said, "promisor") || strings.Contains(failed.said, "transport"))
	if !isUnfetched && !errors.Is(err, errMissing) {
		return err
	}
	return fmt.Errorf("the clone has no copy of %s at %s; a partial clone fetches it with: git archive -o %[3]s %[2]s %[4]s",
		diag.Escape(path.Join(".", name)), diag.Escape(r.Name), os.DevNull, diag.Escape(path.Join(".", path.Dir(name))))
}

// maxRenames is the number of files on each side up to which git compares contents to find renames. The time
// for that grows with the product of both numbers.
const maxRenames = "1000"

// findRenames computes Renames: old paths by new ones. Git prints three words for each rename: its kind, the old path
// and the new one.
func (r *Revision) findRenames() map[string]string {
	found := map[string]string{}
	// Compare with the index or, if it is set, with the revision Now.
	how, trees := []string{"diff-index", "--cached"}, []string{r.top.tree, "--"}
	if r.Now != nil {
		how, trees = []string{"diff-tree"}, []string{r.top.tree, r.Now.top.tree, "--"}
	}
	out, err := r.top.repo.git.output(slices.Concat(how, []string{
		"-r", "-z", "-M", "-l" + maxRenames, "--name-status", "--diff-filter=R", "--ignore-submodules=all",
	}, trees)...)
	words := strings.Split(string(out), "\x00")
	for i := 0; err == nil && i+2 < len(words); i += 3 { // after an error there are none
		found[words[i+2]] = words[i+1]
	}
	return found
}

// maxCommit is the maximum size in bytes of a commit whose parents are counted.
const maxCommit = 1 << 20

// findMerge computes IsBeforeMerge: whether HEAD is a merge commit, and not the revision itself. It counts the
// parents in the text of the commit, because git shows none at the border of a shallow clone.
func (r *Revision) findMerge() bool {
	repo := r.top.repo
	head, err := repo.find("HEAD^{commit}")
	if err != nil {
		return false
	}
	if own, err := repo.find(r.Name + "^{commit}"); err == nil && own.id == head.id {
		return false // the revision is HEAD
	}
	text, err := repo.read(head.id, "commit", maxCommit)
	if err != nil {
		return false
	}
	// The header, up to the first empty line, has a line for each parent.
	header, _, _ := strings.Cut(string(text), "\n\n")
	return strings.Count("\n"+header, "\nparent ") > 1
}

// IgnoredBy returns the location, as FILE:LINE from the root, at which a .gitignore file of the repository
// ignores a path, even a tracked one; empty if none does. Other lists of ignored files don't count, because
// they differ from machine to machine.
func (r *Revision) IgnoredBy(name string) (at string, err error) {
	var words []string // the file, the line, the pattern and the queried path
	// Without ./, git would take a name that starts with a colon for a pattern.
	err = r.ignores.ask("./"+name+"\x00", func(from *bufio.Reader) (err error) {
		words, err = wordsOf(from, 4)
		return err
	})
	if err != nil {
		return "", err
	}
	isNegated := strings.HasPrefix(words[2], "!") // the pattern says what isn't ignored
	isOfRepository := path.Base(words[0]) == ".gitignore" && !path.IsAbs(words[0])
	if isNegated || !isOfRepository {
		return "", nil
	}
	return fmt.Sprintf("%s:%s", words[0], words[1]), nil
}
