package gitrev

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
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
	if err != nil {
		return nil, err
	}
	dirs := map[string]bool{}
	for line := range strings.SplitSeq(out, "\x00") {
		if name, isLeftOut := strings.CutPrefix(line, "S "); isLeftOut {
			dirs[path.Dir(name)] = true
		}
	}
	return dirs, nil
}
