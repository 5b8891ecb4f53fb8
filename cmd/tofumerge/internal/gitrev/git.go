package gitrev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// patience is how long a command of git may take that answers one question.
const patience = 2 * time.Minute

// maxStderr is how many bytes of a message of git are kept.
const maxStderr = 2000

// keptVariables are Git's variables that the commands get. Others name another repository or index,
// as in a hook, or make git write or run something.
var keptVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_OBJECT_DIRECTORY",
}

// A git runs commands in a directory.
type git struct {
	program string
	dir     string
	gitDir  string // of --git-dir; empty to look for it from dir upwards
	index   string // the index file of commands that read one
}

// ErrNotInstalled means that git isn't installed.
var ErrNotInstalled = errors.New("git isn't installed, or isn't in a directory of PATH")

// find looks for the program.
func find() (string, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return "", fmt.Errorf("%w; install it, since revisions are read through it", ErrNotInstalled)
	}
	return program, nil
}

// environment is the program's environment, without variables that could change which data is read.
func (g git) environment() []string {
	list := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		isConfig := strings.HasPrefix(name, "GIT_CONFIG")
		return strings.HasPrefix(name, "GIT_") && !isConfig && !slices.Contains(keptVariables, name) ||
			name == "LC_ALL" || name == "LANGUAGE"
	})
	list = append(list, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	if g.index != "" {
		list = append(list, "GIT_INDEX_FILE="+g.index)
	}
	return list
}

// command is a command that neither runs programs named by the repository nor changes anything.
func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{
		"--no-pager", "--no-replace-objects", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "safe.bareRepository=explicit",
	}
	if args[0] != "check-ignore" { // which takes no pathspecs, and refuses the option
		all = append(all, "--literal-pathspecs")
	}
	if g.gitDir != "" {
		all = append(all, "--git-dir="+g.gitDir)
	}
	cmd := exec.CommandContext(ctx, g.program, append(all, args...)...)
	cmd.Dir = g.dir
	cmd.Env = g.environment()
	cmd.WaitDelay = time.Second
	return cmd
}

// output is the output of a command.
func (g git) output(stdin []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := g.command(ctx, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	said := &beginning{}
	cmd.Stderr = said
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s took longer than %v", args[0], patience)
	case err != nil:
		return out, &gitError{args[0], said.String(), err}
	}
	return out, nil
}

// A gitError is a command that failed.
type gitError struct {
	command, said string
	err           error
}

func (e *gitError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("git %s failed: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s failed: %s", e.command, e.said)
}

// beginning keeps the first bytes of a message.
type beginning struct{ text []byte }

func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), maxStderr-len(b.text))]...)
	return len(p), nil
}

// String is the message as one safe line.
func (b *beginning) String() string {
	return diag.Escape(strings.Join(strings.Fields(strings.ToValidUTF8(string(b.text), "\ufffd")), " "))
}
