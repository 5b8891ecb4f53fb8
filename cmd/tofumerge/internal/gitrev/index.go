package gitrev

import (
	"bufio"
	"bytes"
	"context"
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
	"time"

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
	r.IsStored = true
	repo.convertsBy(g)
	out, err := g.output("ls-files", "--stage", "-z")
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
	r.indexed(".") // though it may be empty
	for _, e := range list {
		if !planned[e.name] {
			r.indexed(path.Dir(e.name)).put(entry{path.Base(e.name), e.mode, e.id})
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
	out, err := g.output("diff-index", "--cached", "--ita-invisible-in-index", "--no-renames", "--name-only", "-r", "-z",
		"--ignore-submodules=all", hashOf("tree", size), "--")
	for name := range bytes.SplitSeq(out, []byte{0}) {
		delete(planned, string(name))
	}
	return planned, err
}

// hashOf is the id of an empty object of a kind, in a repository whose ids have a number of
// digits.
func hashOf(kind string, size int) string {
	h := sha1.New()
	if size == 2*sha256.Size {
		h = sha256.New()
	}
	_, _ = io.WriteString(h, kind+" 0\x00")
	return hex.EncodeToString(h.Sum(nil))
}

// indexed is the tree that an index stands for in a directory. It is made if there is none.
func (r *Revision) indexed(name string) *tree {
	key := "\x00" + indexTree
	if name != "." {
		key += name
	}
	found, isKnown := r.trees.LoadOrStore(key, &tree{byName: map[string]int{}})
	if !isKnown && name != "." {
		r.indexed(path.Dir(name)).put(entry{path.Base(name), treeMode, indexTree + name})
	}
	return found.(*tree)
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

// indexPatience is how long git may take to list an index. It lists millions of files in a few
// seconds, and waits for ever where a part of a repository is a named pipe.
const indexPatience = 30 * time.Second

// ErrTooSlow means that git did not answer in time.
var ErrTooSlow = fmt.Errorf("git ls-files took longer than %v", indexPatience)

// TrackedDirs calls visit for each directory below the root of a repository in which its index has
// a file, with its path from the root, and for submodules with the ids of their commits. A directory
// may be visited more than once.
//
// The root is the directory with the .git, whatever its configuration names as the working tree. A
// .git that git doesn't accept is an error: the index of the repository around it has other paths.
func TrackedDirs(root string, visit func(dir, submodule string)) error {
	program, err := find()
	if err != nil {
		return ErrNotInstalled
	}
	ctx, cancel := context.WithTimeout(context.Background(), indexPatience)
	defer cancel()
	cmd, said := git{program: program, dir: root}.command(ctx, "ls-files", "-z", "--stage")
	cmd.Env = append(cmd.Env, "GIT_WORK_TREE="+root, "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &gitError{"ls-files", "", err}
	}
	last := ""
	failed := eachEntry(bufio.NewReaderSize(out, 64<<10), func(e entry) {
		name, submodule := path.Dir(e.name), ""
		if e.mode == submoduleMode {
			name, submodule = e.name, e.id
		}
		if name != last {
			visit(name, submodule)
		}
		last = name
	})
	if failed != nil {
		cancel()
	}
	switch err := cmd.Wait(); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ErrTooSlow
	case failed != nil:
		return failed
	case err != nil:
		return refusal(root, &gitError{"ls-files", said.String(), err})
	}
	return nil
}

// SparseDirs returns the directories, as paths from the root, with files that the index has but a
// sparse checkout leaves out; see Open for gitDir.
func SparseDirs(root, gitDir string) (map[string]bool, error) {
	out, err := query(root, gitDir, "ls-files", "-t", "-z")
	dirs := map[string]bool{}
	for line := range strings.SplitSeq(out, "\x00") {
		if name, isLeftOut := strings.CutPrefix(line, "S "); isLeftOut {
			dirs[path.Dir(name)] = true
		}
	}
	return dirs, err
}
