package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A build is a copy of one of the two programs, under a path of one length.
type build struct {
	path    string
	version string // a line of its reports
}

const binaryName = "tofumerge"

func install(work string, o options) ([2]build, error) {
	var builds [2]build
	for _, dir := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(work, dir), 0o755); err != nil {
			return builds, err
		}
	}
	if err := put(filepath.Join(work, "policy.hcl"), []byte(policy)); err != nil {
		return builds, err
	}
	for i, from := range []string{o.old, o.new} {
		to := filepath.Join(work, [...]string{"old", "new"}[i], binaryName)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return builds, err
		}
		if err := copyFile(from, to, 0o755); err != nil {
			return builds, err
		}
		cmd := exec.Command(to, "version", "--json")
		cmd.Env = environment(work)
		text, err := cmd.Output()
		if err != nil {
			return builds, fmt.Errorf("%s version --json: %w", from, err)
		}
		var said struct{ Version string }
		if err := json.Unmarshal(text, &said); err != nil {
			return builds, fmt.Errorf("%s version --json: %w", from, err)
		}
		builds[i] = build{to, fmt.Sprintf("\"version\": %q", said.Version)}
	}
	return builds, nil
}

// environment is the environment of a build's runs.
func environment(work string) []string {
	return []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "HOME=" + filepath.Join(work, "home"), "TMPDIR=" + filepath.Join(work, "tmp")}
}

// A part is one of the things that are compared.
type part int

const (
	status part = iota
	stdout
	stderr
	files
	parts
)

func (p part) String() string {
	return [...]string{"exit status", "standard output", "standard error", "files"}[p]
}

// An outcome is what a run shows of itself.
type outcome [parts][]byte

const timedOut = "timed out\n"

// A call is a form for one module: the command line, and its directory.
type call struct {
	args  []string
	dir   string
	stdin string // a file, "" for none
	// The copy of a module and the new file or directory are made afresh for each
	// run; "" where the form has none.
	source, copied, out string
}

// run runs a build.
func (c call) run(b build, env []string, timeout time.Duration) (outcome, error) {
	var o outcome
	if err := c.prepare(); err != nil {
		return o, err
	}
	ctx, stop := context.WithTimeout(context.Background(), timeout)
	defer stop()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, b.path, c.args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.dir, env, &out, &errs, time.Second
	if c.stdin != "" {
		in, err := os.Open(c.stdin)
		if err != nil {
			return o, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	err := cmd.Run()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) && ctx.Err() == nil {
		return o, err
	}
	o[status] = []byte(cmd.ProcessState.String() + "\n")
	if ctx.Err() != nil {
		o[status] = []byte(timedOut)
	}
	o[stdout], o[stderr] = b.anonymous(out.Bytes()), b.anonymous(errs.Bytes())
	for _, dir := range []string{c.copied, c.out} {
		if dir != "" {
			o[files] = append(o[files], picture(dir)...)
		}
	}
	return o, nil
}

// prepare removes what the last run left, and copies the module where one is wanted.
func (c call) prepare() error {
	for _, dir := range []string{c.copied, c.out} {
		if dir == "" {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if c.copied == "" {
		return nil
	}
	return copyModule(c.source, c.copied)
}

// anonymous is an output without the version that was linked in.
func (b build) anonymous(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(b.version), []byte(`"version": "(linked)"`))
}

// fileMark starts the line above the contents of a file.
const fileMark = "== "

// picture is all that is in a file, or in and below a directory, as one text.
func picture(root string) []byte {
	var text bytes.Buffer
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name := filepath.Base(root) + strings.TrimPrefix(path, root)
		fmt.Fprintf(&text, "%s%s %s\n", fileMark, info.Mode(), name)
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(&text, "-> %s\n", target)
			return err
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			text.Write(content)
			text.WriteByte('\n') // the next mark starts on a new line
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(&text, err)
	}
	return text.Bytes()
}
