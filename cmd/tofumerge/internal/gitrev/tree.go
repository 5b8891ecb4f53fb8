package gitrev

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A mode is the kind of an entry of a tree.
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

// A snapshot is the tree of a revision in one repository.
type snapshot struct {
	repo *repository
	tree string // its id
	at   string // the submodule that it is of, from the root of the outermost; "" for that
}

// A tree is the entries of a directory.
type tree struct {
	list   []entry
	byName map[string]int
}

// find returns the entry of a name.
func (t *tree) find(name string) (e entry, ok bool) {
	i, ok := t.byName[name]
	if ok {
		e = t.list[i]
	}
	return e, ok
}

// entries reads a tree.
func (r *Revision) entries(s snapshot, id string) (*tree, error) {
	key := s.at + "\x00" + id
	r.mutex.Lock()
	found := r.trees[key]
	r.mutex.Unlock()
	if found != nil {
		return found, nil
	}
	text, err := s.repo.objects.read(id, "tree", maxTree)
	switch {
	case errors.As(err, new(input.TooLargeError)):
		return nil, fmt.Errorf("a directory has more than %d bytes of names", maxTree)
	case err != nil:
		return nil, err
	}
	if found, err = parseTree(text, len(id)/2); err != nil {
		return nil, err
	}
	r.mutex.Lock()
	r.trees[key] = found
	r.mutex.Unlock()
	return found, nil
}

// parseTree reads a tree: each entry is its mode, a blank, its name, a zero and the bytes
// of its id.
func parseTree(text []byte, idSize int) (*tree, error) {
	t := &tree{byName: map[string]int{}}
	for len(text) > 0 {
		head, rest, ok := bytes.Cut(text, []byte{0})
		kind, name, isPair := strings.Cut(string(head), " ")
		isOdd := name == "" || name == "." || name == ".." || strings.Contains(name, "/") // which git refuses to write
		if !ok || !isPair || isOdd || len(rest) < idSize {
			return nil, errors.New("its list of names is malformed")
		}
		t.byName[name] = len(t.list)
		t.list = append(t.list, entry{name, mode(strings.TrimLeft(kind, "0")), hex.EncodeToString(rest[:idSize])})
		text = rest[idSize:]
	}
	return t, nil
}

// A place is the target of a path.
type place struct {
	snapshot
	entry
	path string // from the root, with links resolved; the attributes of a file depend on it
	// outside is the path of a file outside of the repository that a link points to, relative to
	// the root if it is not absolute. Then there is no entry.
	outside string
}

// isFile reports whether it is a regular file.
func (p place) isFile() bool { return strings.HasPrefix(string(p.mode), "100") }

// lookup follows a path from the root of the repository, links included.
func (r *Revision) lookup(name string) (place, error) {
	return r.follow(name, maxLinks)
}

func (r *Revision) follow(name string, links int) (place, error) {
	at := place{snapshot: r.top, entry: entry{mode: treeMode, id: r.top.tree}}
	rest := strings.Split(path.Clean("/" + name)[1:], "/")
	for i, part := range rest {
		if part == "" {
			continue
		}
		if at.mode == submoduleMode {
			var err error
			if at, err = r.enter(at); err != nil {
				return place{}, err
			}
		}
		if at.mode != treeMode {
			return place{}, fs.ErrNotExist
		}
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
		to, err := r.linkTarget(found)
		if err != nil {
			return place{}, err
		}
		next := path.Join(append([]string{to}, rest[i+1:]...)...)
		if path.IsAbs(to) || to == ".." || strings.HasPrefix(to, "../") {
			return place{outside: next}, nil
		}
		return r.follow(next, links-1)
	}
	if at.mode == submoduleMode {
		return r.enter(at)
	}
	return at, nil
}

// linkTarget is the target of a link, from the root.
func (r *Revision) linkTarget(link place) (string, error) {
	text, err := link.repo.objects.read(link.id, "blob", maxLink)
	if err != nil {
		return "", fmt.Errorf("can't read the link %s: %w", diag.Escape(link.path), err)
	}
	if to := string(text); path.IsAbs(to) {
		return to, nil
	}
	return path.Join(path.Dir(link.path), string(text)), nil
}

// child is an entry of a tree.
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

// enter enters a submodule, at the commit that the tree around it names.
func (r *Revision) enter(at place) (place, error) {
	r.mutex.Lock()
	repo := r.submodules[at.path]
	r.mutex.Unlock()
	if repo == nil {
		var err error
		if repo, err = r.top.repo.submodule(at.path); err != nil {
			return place{}, err
		}
		r.mutex.Lock()
		if known := r.submodules[at.path]; known != nil {
			repo.close()
			repo = known
		}
		r.submodules[at.path] = repo
		r.mutex.Unlock()
	}
	found, err := repo.objects.find(at.id + "^{tree}")
	if err != nil {
		return place{}, fmt.Errorf("%s has the submodule %s at %s, which isn't fetched; run: git -C %s fetch", diag.Escape(r.Name), diag.Escape(at.path), at.id, diag.Escape(at.path))
	}
	s := snapshot{repo: repo, tree: found.id, at: at.path}
	return place{snapshot: s, entry: entry{mode: treeMode, id: found.id}, path: at.path}, nil
}

// unreadable words why an object can't be read.
func (r *Revision) unreadable(name string, err error) error {
	failed := (*gitError)(nil)
	isUnfetched := errors.As(err, &failed) && (strings.Contains(failed.said, "promisor") || strings.Contains(failed.said, "transport"))
	if !isUnfetched && !errors.Is(err, errMissing) {
		return err
	}
	return fmt.Errorf("the clone has no copy of %s at %s; a partial clone fetches it with: git archive -o %[3]s %[2]s %[4]s",
		diag.Escape(path.Join(".", name)), diag.Escape(r.Name), os.DevNull, diag.Escape(path.Join(".", path.Dir(name))))
}
