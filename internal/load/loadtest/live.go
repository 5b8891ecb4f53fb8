package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

var (
	live    = flag.String("live", "", "ask this engine instead of those on PATH, and follow it as that release: NAME@VERSION=PROGRAM")
	answers = flag.String("answers", "", "append what engines answer to this `file`, one JSON object a line")
)

// A LiveEngine is the installed program of an engine, which tests ask to confirm tofumerge's rules.
type LiveEngine struct {
	engine.Release
	path string
	home string // its home directory, without settings and plugins of the user
}

// IsWatched reports whether -live names an engine: tests then ask it about every case, not only about a selection.
func IsWatched() bool { return *live != "" }

// LiveEngines returns the engines on PATH of known releases or, if -live names one (NAME@VERSION=PROGRAM), only that.
// It skips the test if there is none, and under -short. Run passes rc, in home, to the programs as their settings.
func LiveEngines(t *testing.T) []LiveEngine {
	t.Helper()
	if testing.Short() {
		t.Skip("the engines are not run under -short")
	}
	home := t.TempDir()
	rc := ""
	for _, p := range engine.Products() {
		rc += fmt.Sprintf("host %q {\n  services = {}\n}\n", p.Registry()) // so the engine asks no registry
	}
	if err := os.WriteFile(filepath.Join(home, "rc"), []byte(rc), 0o600); err != nil {
		t.Fatal(err)
	}
	if name, path, ok := strings.Cut(*live, "="); ok {
		release, err := engine.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return []LiveEngine{{release, path, home}}
	}
	var list []LiveEngine
	for _, p := range engine.Products() {
		path, err := exec.LookPath(p.Command())
		if err != nil {
			continue
		}
		l := LiveEngine{path: path, home: home}
		var is struct {
			Version string `json:"terraform_version"`
		}
		out, errs, ok := l.Run(t, Call{Dir: l.home, Args: []string{"version", "-json"}})
		if err := json.Unmarshal([]byte(out), &is); err != nil || !ok {
			t.Logf("%s is skipped, because its version is unknown: %v\n%s", path, err, errs)
			continue
		}
		if l.Release, err = engine.Parse(string(p) + "@" + is.Version); err != nil {
			t.Logf("%s is left out: %v", path, err)
			continue
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		t.Skip("no engine of a known release is on PATH")
	}
	return list
}

// An Answer is what an engine made of a module, and what it should do according to tofumerge's tables.
type Answer struct {
	Module         string
	Rows           []string // that are about the module: paths of rules, or sources of values
	Claimed, Given string
}

// Answered fails the test if an engine does something else than the tables claim. If -answers is set, it also appends
// the answer to that file, for .ci/watch.
func Answered(t testing.TB, a Answer) {
	t.Helper()
	if a.Given != a.Claimed {
		t.Errorf("%s\nthe tables: %s\nthe engine: %s", a.Module, a.Claimed, a.Given)
	}
	if *answers == "" {
		return
	}
	line, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(*answers, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A Call is how a program is run.
type Call struct {
	Dir   string
	Args  []string
	Env   []string // besides the variables that isolate the program from the user's settings
	Input string
}

// Run runs the program, isolated from the settings of this machine and from registries. ok is false if it fails.
func (l LiveEngine) Run(t testing.TB, c Call) (out, errs string, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.path, c.Args...)
	cmd.Dir, cmd.WaitDelay, cmd.Stdin = c.Dir, 5*time.Second, bytes.NewReader([]byte(c.Input))
	cmd.Env = append([]string{
		"HOME=" + l.home, "PATH=" + os.Getenv("PATH"), "TF_CLI_CONFIG_FILE=" + filepath.Join(l.home, "rc"),
		"CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"GOGC=off", // a third of the time that a start takes
	}, c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	return stdout.String(), stderr.String(), err == nil
}

// Init runs "init" in a directory. It installs no plugins, and asks no registry.
func (l LiveEngine) Init(t testing.TB, dir string) (errs string, ok bool) {
	t.Helper()
	_, errs, ok = l.Run(t, Call{Dir: dir, Args: []string{"init", "-no-color", "-input=false", "-plugin-dir=" + l.home}})
	return errs, ok
}
