package gitrev

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// The index of a repository: the content of the next commit. It is read as a revision whose files
// are the stored bytes, because there may be no checkout of them.

// IndexVariable is the environment variable through which a hook learns from which index a commit
// is made.
const IndexVariable = "GIT_INDEX_FILE"

// IndexName is the Name of an index.
const IndexName = "the index"

// unmergedMode is the mode of a path with a conflict, which has several versions.
const unmergedMode mode = "unmerged"

// indexTree begins the ids of the trees that the index of the outermost repository stands for.
const indexTree = "index:"

var errUnmerged = errors.New("it has a merge conflict; resolve it, and add the file with git add")

// OpenIndex opens the index of the repository that fills the directory root when it is checked
// out. file is the value of IndexVariable, if that is meant for this repository: a relative one
// starts at the root, as for git.
func OpenIndex(root, gitDir, file string) (*Revision, error) {
	repo, err := open(root, gitDir)
	if err != nil {
		return nil, err
	}
	r := newRevision(IndexName, repo, indexTree)
	if err := r.readIndex(file); err != nil {
		repo.close()
		return nil, err
	}
	return r, nil
}

// readIndex reads the names in the index.
func (r *Revision) readIndex(file string) error {
	repo := r.top.repo
	if repo.root == "" {
		return fmt.Errorf("the repository of %s has no working tree, so it has no index", diag.Escape(repo.git.dir))
	}
	g := repo.git
	if file != "" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(repo.root, file)
		}
		if _, err := os.Stat(file); err != nil { // which git takes for an empty one
			return fmt.Errorf("%s doesn't name a readable index: %s", IndexVariable, diag.Escape(file))
		}
		g.index = file
	}
	r.isStored = true
	r.attributes[""] = &attributes{git: g, checker: &pipe{git: g, args: checkAttributes()}, isWhole: true}
	out, err := g.output(nil, "ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	var list []entry
	if err := eachEntry(bufio.NewReader(bytes.NewReader(out)), func(e entry) { list = append(list, e) }); err != nil {
		return err
	}
	planned, err := g.intendedToAdd(list)
	if err != nil {
		return err
	}
	b := indexBuilder{trees: r.trees}
	b.dir(".")
	for _, e := range list {
		if !planned[e.name] {
			b.add(e)
		}
	}
	return nil
}

// eachEntry reads what git ls-files prints of an index. Each file is a mode, an id and a stage with
// blanks between them, a tab, a path and a zero. The paths are the names of the entries.
func eachEntry(from *bufio.Reader, visit func(entry)) error {
	for {
		line, err := from.ReadString(0)
		switch {
		case errors.Is(err, io.EOF) && line == "":
			return nil
		case err != nil:
			return errors.New("git ls-files ended in the middle of a line")
		}
		about, name, _ := strings.Cut(strings.TrimSuffix(line, "\x00"), "\t")
		kind, rest, _ := strings.Cut(about, " ")
		id, stage, isStaged := strings.Cut(rest, " ")
		if !isStaged || name == "" || path.Clean("/" + name)[1:] != name {
			return fmt.Errorf("git ls-files printed %s", diag.Escape(line[:min(len(line), 200)]))
		}
		if stage != "0" {
			kind = string(unmergedMode)
		}
		visit(entry{name: name, mode: mode(kind), id: id})
	}
}

// intendedToAdd are the paths of git add --intent-to-add: the index has their names, but the
// next commit doesn't. Such an entry has the id of an empty file, as others may.
func (g git) intendedToAdd(list []entry) (map[string]bool, error) {
	planned := map[string]bool{}
	size := 0
	for _, e := range list {
		if e.mode != unmergedMode && e.id == hashOf("blob", len(e.id)) {
			planned[e.name] = true
			size = len(e.id)
		}
	}
	if len(planned) == 0 {
		return nil, nil
	}
	out, err := g.output(nil, "diff-index", "--cached", "--ita-invisible-in-index", "--no-renames", "--name-only", "-r", "-z",
		"--ignore-submodules=all", hashOf("tree", size), "--")
	for name := range bytes.SplitSeq(out, []byte{0}) {
		delete(planned, string(name))
	}
	return planned, err
}

// hashOf is the id of an empty object of a kind, in a repository whose ids have a number of
// digits.
func hashOf(kind string, size int) string {
	head := []byte(kind + " 0\x00")
	if size == 2*sha256.Size {
		sum := sha256.Sum256(head)
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(head)
	return hex.EncodeToString(sum[:])
}

// An indexBuilder makes the trees that an index stands for.
type indexBuilder struct{ trees map[string]*tree }

// dir is the tree of a directory, which is made if there is none.
func (b indexBuilder) dir(name string) *tree {
	key := "\x00" + indexTree
	if name != "." {
		key += name
	}
	t := b.trees[key]
	if t == nil {
		t = &tree{byName: map[string]int{}}
		b.trees[key] = t
		if name != "." {
			b.dir(path.Dir(name)).put(entry{path.Base(name), treeMode, indexTree + name})
		}
	}
	return t
}

// add adds an entry by its path.
func (b indexBuilder) add(e entry) {
	t := b.dir(path.Dir(e.name))
	e.name = path.Base(e.name)
	t.put(e)
}

// put adds an entry of a directory. For a path with a conflict one entry is enough, and it takes
// precedence over a directory that replaced the file.
func (t *tree) put(e entry) {
	i, isKnown := t.byName[e.name]
	switch {
	case !isKnown:
		t.byName[e.name] = len(t.list)
		t.list = append(t.list, e)
	case e.mode == unmergedMode:
		t.list[i] = e
	}
}

// Sub is a directory of this one.
func (d *Directory) Sub(name string) (*Directory, error) {
	return d.revision.Directory(path.Join(d.path, name))
}
