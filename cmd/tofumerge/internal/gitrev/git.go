package gitrev

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// patience is the maximum time for a command of git that answers one question.
const patience = 2 * time.Minute

// maxStderr is the maximum number of bytes of git's messages that are kept.
const maxStderr = 2000

// keptVariables lists those of Git's variables that git inherits. Others name another repository or index, as
// in a hook, or make git write or run something.
var keptVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_OBJECT_DIRECTORY",
}

// A git runs commands of the program git in a directory.
type git struct {
	program string
	dir     string
	gitDir  string // of --git-dir; empty to look for it from dir upwards
	index   string // the index file of commands that read one
}

// findGit returns the path of the program.
func findGit() (string, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return "", errors.New("git isn't installed, or isn't in a directory of PATH; install it, since revisions are read through it")
	}
	return program, nil
}

// environment returns the variables for git: those of this program without any that changes what git reads,
// and those that keep git from writing, asking and fetching.
func (g git) environment() []string {
	list := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		isKept := strings.HasPrefix(name, "GIT_CONFIG") || slices.Contains(keptVariables, name) // the user's own settings
		isLocale := name == "LC_ALL" || name == "LANGUAGE"                                      // git's messages must stay English
		return strings.HasPrefix(name, "GIT_") && !isKept || isLocale
	})
	list = append(list, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	if g.index != "" {
		list = append(list, "GIT_INDEX_FILE="+g.index)
	}
	return list
}

// command prepares a command of git that neither changes anything nor runs programs named by the repository. args
// starts with the subcommand. said collects the start of its error messages.
func (g git) command(ctx context.Context, args ...string) (cmd *exec.Cmd, said *beginning) {
	all := []string{
		"--no-pager", "--no-replace-objects", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "safe.bareRepository=explicit",
	}
	if args[0] != "check-ignore" { // it takes no pathspecs, and refuses the option
		all = append(all, "--literal-pathspecs")
	}
	if g.gitDir != "" {
		all = append(all, "--git-dir="+g.gitDir)
	}
	cmd, said = exec.CommandContext(ctx, g.program, append(all, args...)...), &beginning{}
	cmd.Dir = g.dir
	cmd.Env = g.environment()
	cmd.WaitDelay, cmd.Stderr = time.Second, said
	return cmd, said
}

// output runs a command and returns its output. If the command fails, the error is a gitError, and the output
// so far comes with it.
func (g git) output(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd, said := g.command(ctx, args...)
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s took longer than %v", args[0], patience)
	case err != nil:
		return out, &gitError{args[0], said.String(), err}
	}
	return out, nil
}

// A gitError is the error of a git command that failed.
type gitError struct {
	command, said string // the subcommand, and its messages
	err           error
}

// Error implements error: it repeats git's messages or, if there are none, the error of the process.
func (e *gitError) Error() string {
	return fmt.Sprintf("git %s failed: %s", e.command, cmp.Or(e.said, fmt.Sprint(e.err)))
}

// A beginning is a writer that keeps the first maxStderr bytes.
type beginning struct{ text []byte }

// Write implements io.Writer. It keeps what there is space for, and reports that it took all.
func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), maxStderr-len(b.text))]...)
	return len(p), nil
}

// String returns what was kept as one line that is safe to print.
func (b *beginning) String() string {
	return diag.Escape(strings.Join(strings.Fields(strings.ToValidUTF8(string(b.text), "\ufffd")), " "))
}

// An object describes an object of a repository: kind is commit, tree, blob or tag.
type object struct {
	id, kind string
	size     int64
}

// errMissing means that a repository has no object of a name.
var errMissing = errors.New("the repository doesn't have it")

// find returns the object that a name such as main^{tree}, or an id, stands for; errMissing if it stands for none.
func (r *repository) find(name string) (found object, err error) {
	if strings.ContainsAny(name, "\n\x00") { // git would read two questions
		return object{}, errMissing
	}
	err = r.about.ask(name+"\n", func(from *bufio.Reader) (err error) {
		found, err = readHeader(from)
		return err
	})
	return found, err
}

// readHeader reads git's line about an object: its id, kind and size. Any other line, as about a missing object, is
// errMissing.
func readHeader(from *bufio.Reader) (object, error) {
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

// read returns the content of an object, which must have the given kind and no more than limit bytes. It asks for
// the size first, so that git never sends more.
func (r *repository) read(id, kind string, limit int64) (text []byte, err error) {
	what, err := r.find(id)
	switch {
	case err != nil:
		return nil, err
	case what.kind != kind:
		return nil, fmt.Errorf("it is a %s, not a %s", what.kind, kind)
	case what.size > limit:
		return nil, input.TooLargeError(limit)
	}
	err = r.content.ask(id+"\n", func(from *bufio.Reader) error {
		again, err := readHeader(from) // the same line as for the size
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
		_, err = from.Discard(1) // the line end behind the content
		return err
	})
	return text, err
}

// A pipe is a git process that answers questions, one after the other. The first question starts it.
type pipe struct {
	git  git
	args []string

	mutex sync.Mutex
	stop  func()
	in    io.WriteCloser
	out   *bufio.Reader
	fault error // the error of all later questions, once the process has ended
}

// ask writes a question to git, and calls answer to read the reply. After any error but errMissing nobody knows where
// the next reply starts: ask then ends the process, and returns the error of that for this and all later questions.
func (p *pipe) ask(question string, answer func(*bufio.Reader) error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out == nil && p.fault == nil { // the process was never started
		p.fault = p.start()
	}
	if p.fault != nil {
		return p.fault
	}
	// If git gets the question, and the answer can be read, the process can take the next question.
	if _, err := io.WriteString(p.in, question); err == nil {
		if err = answer(p.out); err == nil || errors.Is(err, errMissing) {
			return err
		}
	}
	p.stop() // sets fault
	return p.fault
}

// start starts the process, and sets in, out and stop. The function stop ends the process and sets fault, the error
// of all later questions.
func (p *pipe) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	cmd, said := p.git.command(ctx, p.args...)
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
			err = cmd.Start()
		}
	}
	if err != nil { // it didn't start, so there is nothing to stop
		cancel()
		return &gitError{p.args[0], "", err}
	}
	p.stop = func() {
		_ = in.Close()
		cancel() // git may still be writing an answer
		err := cmd.Wait()
		p.fault = &gitError{p.args[0], said.String(), err}
	}
	return nil
}

// close ends the process, if it runs. Later questions fail.
func (p *pipe) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out != nil && p.fault == nil {
		p.stop()
	}
	p.fault = errors.New("the repository is closed")
}

// A repository is a Git repository whose objects are read.
type repository struct {
	git git
	// about describes objects, so that none is read that is too large; content returns their bytes; checker
	// returns attributes of files. settings reads the settings that go with these, once.
	about, content, checker *pipe
	settings                func() (map[string]string, error)
	// root is the directory that a checkout fills; empty if the repository has none.
	root      string
	isShallow bool
}

// ErrNoRepository means that a directory is in no repository.
var ErrNoRepository = errors.New("no Git repository")

// open opens the repository whose working tree is root, or if gitDir is set that repository, which needs no working
// tree. Without gitDir, root must be the top of the working tree.
func open(root, gitDir string) (*repository, error) {
	program, err := findGit()
	if err != nil {
		return nil, err
	}
	r := &repository{git: git{program: program, dir: root, gitDir: gitDir}}
	out, err := r.git.output("rev-parse", "--is-shallow-repository", "--is-bare-repository", "--show-prefix")
	if err != nil {
		return nil, refusal(root, err)
	}
	lines := bytes.SplitN(out, []byte("\n"), 3) // is shallow, is bare, the path of root in the working tree
	if len(lines) < 2 {
		return nil, fmt.Errorf("git rev-parse printed %q for the repository of %s", out, diag.Escape(root))
	}
	r.isShallow = string(lines[0]) == "true"
	isBare := string(lines[1]) == "true"
	prefix := strings.TrimSuffix(string(bytes.Join(lines[2:], nil)), "\n")
	switch {
	case gitDir != "": // it needs no working tree
	case isBare:
		return nil, fmt.Errorf("the repository of %s has no working tree; name it with GIT_DIR", diag.Escape(root))
	case prefix != "": // git found a repository further up
		return nil, fmt.Errorf("%s holds a .git that Git doesn't take for a repository: %w", diag.Escape(root), ErrNoRepository)
	default:
		r.root = root
	}
	r.about, r.content = &pipe{git: r.git, args: []string{"cat-file", "--batch-check"}}, &pipe{git: r.git, args: []string{"cat-file", "--batch"}}
	r.convertBy(r.git)
	return r, nil
}

// refusal turns git's error for the repository of root into one for people. If there is no repository, it wraps
// ErrNoRepository.
func refusal(root string, err error) error {
	failed := (*gitError)(nil)
	if !errors.As(err, &failed) {
		return err
	}
	switch {
	case strings.Contains(failed.said, "dubious ownership"), strings.Contains(failed.said, "unsafe repository"):
		return fmt.Errorf("git refuses the repository of %s because it belongs to another user; to trust it, run: git config --global --add safe.directory %[1]s", diag.Escape(root))
	case strings.Contains(failed.said, "not a git repository"):
		return fmt.Errorf("%s: %w", diag.Escape(root), ErrNoRepository)
	}
	return err
}

// close ends the repository's processes.
func (r *repository) close() {
	r.about.close()
	r.content.close()
	r.checker.close()
}

// resolve returns the id of the tree of a revision, by its name as users write it. A...B is the commit at which A and
// B diverged; B defaults to HEAD.
func (r *repository) resolve(rev string) (tree string, err error) {
	switch {
	case rev == "":
		return "", errors.New("the name of the revision is empty; name one, such as main or HEAD~1")
	case strings.HasPrefix(rev, "-"):
		return "", fmt.Errorf("no name of a revision begins with a hyphen, as %s does", diag.Escape(rev))
	case strings.ContainsAny(rev, "\n\x00") || len(rev) > maxRevision:
		return "", fmt.Errorf("%s isn't the name of a revision", diag.Escape(rev[:min(len(rev), 60)]))
	}
	// Find the commit that is meant. A name alone must be unambiguous.
	name := rev
	if at := Outside(rev, "..."); at > 0 {
		name, err = r.mergeBase(rev[:at], cmp.Or(rev[at+3:], "HEAD"))
	} else {
		err = r.checkAmbiguous(rev)
	}
	if err != nil {
		return "", err
	}
	// Its tree is the result. Without one, say what the name stands for, if it stands for anything.
	found, err := r.find(name + "^{tree}")
	if err == nil {
		return found.id, nil
	}
	if !errors.Is(err, errMissing) {
		return "", err
	}
	if what, err := r.find(rev); err == nil && what.kind != "commit" && what.kind != "tag" { // a file, for example
		return "", fmt.Errorf("%s is a %s, not a revision", diag.Escape(rev), what.kind)
	}
	return "", r.noRevision(rev)
}

// noRevision returns the error for a revision that the repository lacks. For a shallow clone it names the command
// that fetches the revision: a remote branch alone, the history for names relative to others, or the user's choice.
func (r *repository) noRevision(rev string) error {
	why := "the Git repository has no revision " + diag.Escape(rev)
	branch, isRemote := strings.CutPrefix(ShortName(rev), "origin/")
	switch {
	case r.isShallow && isRemote:
		return fmt.Errorf("%s; this is a shallow clone, so fetch it: git fetch --depth=1 origin +%s:refs/remotes/origin/%[2]s", why, diag.Escape(branch))
	case r.isShallow && strings.ContainsAny(rev, "~^@{"):
		return fmt.Errorf("%s; this is a shallow clone, so fetch its history: git fetch --unshallow", why)
	case r.isShallow:
		return fmt.Errorf("%s; this is a shallow clone, so fetch the revision and name FETCH_HEAD: git fetch --depth=1 origin %s; or fetch the whole history: git fetch --unshallow", why, diag.Escape(rev))
	}
	return fmt.Errorf("%s; to list branches and tags, run: git branch -a; git tag", why)
}

// mergeBase returns the id of the latest commit that two revisions have in common: where the branches diverged.
func (r *repository) mergeBase(branch, other string) (string, error) {
	// The ids of the two commits.
	var ids [2]string
	for i, name := range []string{branch, other} {
		if err := r.checkAmbiguous(name); err != nil {
			return "", err
		}
		found, err := r.find(name + "^{commit}")
		if errors.Is(err, errMissing) {
			return "", r.noRevision(name)
		} else if err != nil {
			return "", err
		}
		ids[i] = found.id
	}
	out, err := r.git.output("merge-base", ids[0], ids[1])
	switch id := strings.TrimSpace(string(out)); {
	case err == nil && id != "":
		return id, nil
	case r.isShallow: // the common commit may exist beyond the border of the clone
		return "", fmt.Errorf("the history of this shallow clone doesn't reach back to where %s left %s; fetch it: git fetch --unshallow", diag.Escape(other), diag.Escape(branch))
	}
	return "", fmt.Errorf("%s and %s have no commit in common; name a revision without the dots", diag.Escape(other), diag.Escape(branch))
}

// Outside returns the offset of part, such as "...", in the name of a revision; -1 if the name lacks it. It doesn't
// look inside braces, as in main@{1 day ago}.
func Outside(rev, part string) int {
	braces := 0 // that are open
	for i := range len(rev) {
		switch rev[i] {
		case '{':
			braces++
		case '}':
			braces--
		}
		if braces <= 0 && strings.HasPrefix(rev[i:], part) {
			return i
		}
	}
	return -1
}

// Names lists branches and tags of a repository, the first most ones: of gitDir or, if that is empty, of the one
// whose working tree is root.
func Names(root, gitDir string, most int) ([]string, error) {
	out, err := query(root, gitDir, "for-each-ref", "--format=%(refname:short)", fmt.Sprintf("--count=%d", most),
		"refs/heads", "refs/tags", "refs/remotes")
	return strings.Fields(out), err // no name holds a blank
}

// query returns the output of one command of git in a repository: in gitDir or, if that is empty, in the one whose
// working tree is root.
func query(root, gitDir string, args ...string) (string, error) {
	repo, err := open(root, gitDir)
	if err != nil {
		return "", err
	}
	out, err := repo.git.output(args...)
	return string(out), err
}

// NameOf returns the name of a branch or a tag that points to the commit with the hash rev. It returns "" if there is
// none, or if rev isn't a hash.
func NameOf(root, gitDir, rev string) string {
	if !IsHash(rev) {
		return ""
	}
	out, _ := query(root, gitDir, "for-each-ref", "--format=%(refname:short)", "--count=9", "--points-at", rev,
		"refs/heads", "refs/remotes", "refs/tags")
	for _, name := range strings.Fields(out) {
		if !strings.HasSuffix(name, "/HEAD") && name != "origin" { // how git abbreviates origin/HEAD
			return name
		}
	}
	return ""
}

// IsHash reports whether the name of a revision is the hash of a commit, or the start of one.
func IsHash(rev string) bool { return hash().MatchString(rev) }

var hash = lazyregexp.New(`^[0-9a-f]{7,64}$`)

// DefaultBranch names what origin/HEAD points to, such as origin/main; empty if it points to nothing.
func DefaultBranch(root, gitDir string) string {
	out, _ := query(root, gitDir, "for-each-ref", "--format=%(symref:short)", "refs/remotes/origin/HEAD")
	return strings.TrimSpace(out)
}

// Head names the checked-out branch, if there is one, and the start of the commit's hash. The repository is gitDir
// or, if that is empty, the one whose working tree is root.
func Head(root, gitDir string) (branch, commit string, err error) {
	repo, err := open(root, gitDir)
	if err != nil {
		return "", "", err
	}
	out, err := repo.git.output("rev-parse", "--short", "HEAD")
	if err != nil {
		return "", "", err
	}
	name, _ := repo.git.output("symbolic-ref", "--quiet", "--short", "HEAD") // fails if no branch is checked out
	return strings.TrimSpace(string(name)), strings.TrimSpace(string(out)), nil
}

// maxRevision is the maximum length of a revision's name in bytes.
const maxRevision = 4096

// openSubmodule opens the repository of a submodule, which must be checked out, by its path from the root.
func (r *repository) openSubmodule(at string) (*repository, error) {
	remedy := "; run: git submodule update --init " + diag.Escape(at)
	if r.root == "" {
		return nil, fmt.Errorf("%s is a submodule, whose files are in another repository", diag.Escape(at))
	}
	dir := filepath.Join(r.root, filepath.FromSlash(at))
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return nil, fmt.Errorf("%s is a submodule that isn't checked out%s", diag.Escape(at), remedy)
	}
	return open(dir, "")
}

// fullPrefix is the prefix of full names of branches and tags, which mean nothing else.
const fullPrefix = "refs/"

// refPrefixes are the prefixes that git tries for a name, in its order (gitrevisions(7), "refname").
// Git takes the first one, so a tag hides the branch of the same name.
var refPrefixes = []string{fullPrefix, "refs/tags/", "refs/heads/", "refs/remotes/"}

// checkAmbiguous refuses a revision whose name stands for several branches or tags with different
// commits. Anybody who may push a tag could otherwise choose which one is read.
func (r *repository) checkAmbiguous(rev string) error {
	name := refName(rev)
	isOwn := name == "HEAD" || strings.HasSuffix(name, "_HEAD") // git's own, such as FETCH_HEAD
	if name == "" || isOwn || strings.HasPrefix(name, fullPrefix) {
		return nil // only one thing can be meant
	}
	// Collect the full names that exist, and the ids to which they lead.
	var named, ids []string
	for _, prefix := range refPrefixes {
		found, err := r.find(prefix + name + "^{}") // of an annotated tag, the commit
		switch {
		case errors.Is(err, errMissing):
			continue
		case err != nil:
			return err
		}
		named, ids = append(named, prefix+name), append(ids, found.id)
	}
	if IsHash(name) && len(named) > 0 { // a branch or tag may be named like a commit
		out, _ := r.git.output("rev-parse", "--disambiguate="+name) // prints nothing if no object has this prefix
		if id, _, _ := strings.Cut(string(out), "\n"); id != "" {
			named, ids = append(named, id), append(ids, id)
		}
	}
	// Several names of one commit are fine.
	slices.Sort(ids)
	if len(slices.Compact(ids)) < 2 {
		return nil
	}
	return fmt.Errorf("%s is ambiguous: it names %s; name one of them in full", diag.Escape(rev), diag.Escape(strings.Join(named, " and ")))
}

// refName returns the branch, tag or commit with which the name of a revision begins, such as main in main~2. It
// returns "" if the name begins otherwise, as :/text does.
func refName(rev string) string {
	if n := strings.IndexAny(rev, "^~:"); n >= 0 {
		rev = rev[:n]
	}
	rev, _, _ = strings.Cut(rev, "@{")
	return rev
}

// ShortName shortens the full name of a branch or tag for people: refs/heads/main to main. Other names stay.
func ShortName(rev string) string {
	for _, prefix := range slices.Backward(refPrefixes) { // refs/ last, because the others start with it
		if short, isFull := strings.CutPrefix(rev, prefix); isFull {
			return cmp.Or(short, rev) // rev if nothing follows the prefix
		}
	}
	return rev
}
