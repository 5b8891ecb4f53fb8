package gitrev

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

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
	cmd := git{program: program, dir: root}.command(ctx, "ls-files", "-z", "--stage")
	cmd.Env = append(cmd.Env, "GIT_WORK_TREE="+root, "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	said := &beginning{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &gitError{"ls-files", "", err}
	}
	failed := eachDir(bufio.NewReaderSize(out, 64<<10), visit)
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
	repo, err := open(root, gitDir)
	if err != nil {
		return nil, err
	}
	defer repo.close()
	out, err := repo.git.output(nil, "ls-files", "-t", "-z")
	if err != nil {
		return nil, err
	}
	dirs := map[string]bool{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		if name, isLeftOut := strings.CutPrefix(line, "S "); isLeftOut {
			dirs[path.Dir(name)] = true
		}
	}
	return dirs, nil
}

// eachDir reads the files of an index: each is its mode, a blank, its id, a blank, its stage,
// a tab, its path and a zero.
func eachDir(from *bufio.Reader, visit func(dir, submodule string)) error {
	last := ""
	for {
		line, err := from.ReadString(0)
		switch {
		case errors.Is(err, io.EOF) && line == "":
			return nil
		case err != nil:
			return errors.New("git ls-files ended in the middle of a line")
		}
		about, name, ok := strings.Cut(strings.TrimSuffix(line, "\x00"), "\t")
		kind, rest, isStaged := strings.Cut(about, " ")
		if !ok || !isStaged {
			return fmt.Errorf("git ls-files printed %s", diag.Escape(line[:min(len(line), 200)]))
		}
		submodule := ""
		if mode(kind) == submoduleMode {
			submodule, _, _ = strings.Cut(rest, " ")
		} else {
			name = path.Dir(name)
		}
		if name != last {
			visit(name, submodule)
		}
		last = name
	}
}
