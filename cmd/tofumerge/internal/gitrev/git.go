package gitrev

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
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
		return strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_CONFIG") && !slices.Contains(keptVariables, name) ||
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
func (g git) output(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := g.command(ctx, args...)
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
	return fmt.Sprintf("git %s failed: %s", e.command, cmp.Or(e.said, fmt.Sprint(e.err)))
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

// objects reads the objects of a repository. One process describes objects, so that none is read
// that is too large, and one returns their bytes.
type objects struct {
	about, content *pipe
}

// An object is git's description of one.
type object struct {
	id, kind string
	size     int64
}

// errMissing means that the repository does not have an object.
var errMissing = errors.New("the repository doesn't have it")

// find returns the object for a name.
func (o *objects) find(name string) (found object, err error) {
	if strings.ContainsAny(name, "\n\x00") {
		return object{}, errMissing
	}
	err = o.about.ask(name+"\n", func(from *bufio.Reader) (err error) {
		found, err = header(from)
		return err
	})
	return found, err
}

// header reads git's line about an object.
func header(from *bufio.Reader) (object, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	if len(words) != 3 {
		return object{}, errMissing // "main missing", "ab ambiguous", and also of names with blanks
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || len(words[0]) < 40 {
		return object{}, errMissing
	}
	return object{words[0], words[1], size}, nil
}

// read returns the bytes of an object of a kind, which may be limit at most.
func (o *objects) read(id, kind string, limit int64) (text []byte, err error) {
	what, err := o.find(id)
	switch {
	case err != nil:
		return nil, err
	case what.kind != kind:
		return nil, fmt.Errorf("it is a %s, not a %s", what.kind, kind)
	case what.size > limit:
		return nil, input.TooLargeError(limit)
	}
	err = o.content.ask(id+"\n", func(from *bufio.Reader) error {
		again, err := header(from)
		if err != nil {
			return err
		}
		if again != what {
			return fmt.Errorf("git printed two answers about %s", id)
		}
		text = make([]byte, what.size)
		if _, err := io.ReadFull(from, text); err != nil {
			return err
		}
		_, err = from.Discard(1)
		return err
	})
	return text, err
}

// A pipe is a process that answers questions, one after the other. It is started with the
// first one.
type pipe struct {
	git  git
	args []string

	mutex sync.Mutex
	stop  func()
	in    io.WriteCloser
	out   *bufio.Reader
	fault error // ends all asking
}

// ask writes a query and reads the answer.
func (p *pipe) ask(question string, answer func(*bufio.Reader) error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out == nil && p.fault == nil {
		p.fault = p.start()
	}
	if p.fault != nil {
		return p.fault
	}
	_, err := io.WriteString(p.in, question)
	if err == nil {
		if err = answer(p.out); err == nil || errors.Is(err, errMissing) {
			return err
		}
	}
	p.stop()
	return p.fault
}

func (p *pipe) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := p.git.command(ctx, p.args...)
	said := &beginning{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return &gitError{p.args[0], "", err}
	}
	p.stop = func() {
		_ = in.Close() // which ends the process
		if p.fault == nil {
			cancel()
		}
		err := cmd.Wait()
		cancel()
		p.fault = &gitError{p.args[0], said.String(), err}
	}
	return nil
}

// close ends the process.
func (p *pipe) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out != nil && p.fault == nil {
		p.stop()
	}
	p.fault = errors.New("the repository is closed")
}
