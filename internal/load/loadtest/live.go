package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A LiveEngine is an engine's program.
type LiveEngine struct {
	engine.Release
	path string
	home string // it has no settings and no plugins
}

// LiveEngines are those on PATH whose rules are known. A test is skipped without any, and
// under -short.
func LiveEngines(t *testing.T) []LiveEngine {
	t.Helper()
	if testing.Short() {
		t.Skip("the engines are not run under -short")
	}
	var list []LiveEngine
	for _, p := range engine.Products() {
		path, err := exec.LookPath(p.Command())
		if err != nil {
			continue
		}
		l := LiveEngine{path: path, home: t.TempDir()}
		if err := os.WriteFile(filepath.Join(l.home, "rc"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
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

// A Call is how a program is run.
type Call struct {
	Dir   string
	Args  []string
	Env   []string // besides the variables that isolate the program from the user's settings
	Input string
}

// Run runs the program, isolated from the machine's settings and registries.
func (l LiveEngine) Run(t testing.TB, c Call) (out, errs string, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.path, c.Args...)
	cmd.Dir, cmd.WaitDelay, cmd.Stdin = c.Dir, 5*time.Second, bytes.NewReader([]byte(c.Input))
	cmd.Env = append([]string{
		"HOME=" + l.home, "PATH=" + os.Getenv("PATH"), "TF_CLI_CONFIG_FILE=" + filepath.Join(l.home, "rc"),
		"CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
	}, c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	return stdout.String(), stderr.String(), err == nil
}

// Init initializes a directory, without plugins.
func (l LiveEngine) Init(t testing.TB, dir string) (errs string, ok bool) {
	t.Helper()
	_, errs, ok = l.Run(t, Call{Dir: dir, Args: []string{"init", "-no-color", "-input=false", "-plugin-dir=" + l.home}})
	return errs, ok
}
