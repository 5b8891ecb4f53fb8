package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"golang.org/x/mod/modfile"
)

// A source is where the source of an engine is.
type source struct{ module, main string }

var sources = map[engine.Product]source{
	engine.OpenTofu:  {"github.com/opentofu/opentofu", "./cmd/tofu"},
	engine.Terraform: {"github.com/hashicorp/terraform", "."},
}

// A program is an engine that was built.
type program struct {
	path string
	from string // the module, and the Go that built it
	cpu  time.Duration
	day  string // on which the release was tagged
}

// build builds a release in a directory.
func build(e engine.Release, dir string) (program, error) {
	s := sources[e.Product]
	p := program{path: filepath.Join(dir, e.Product.Command())}
	src := filepath.Join(dir, "source")
	var is struct{ Error, Info, GoMod, Dir string }
	download := func(env ...string) error {
		is.Error = ""
		out, _, err := command(dir, env, "go", "mod", "download", "-json", s.module+"@v"+string(e.Version))
		if json.Unmarshal([]byte(out), &is) == nil && is.Error != "" {
			err = errors.New(is.Error)
		}
		return err
	}
	if err := download(); is.GoMod == "" { // an older Go than the release requires finds no more than that
		return p, err
	}
	text, err := os.ReadFile(is.GoMod)
	if err != nil {
		return p, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return p, err
	}
	toolchain := "GOTOOLCHAIN=" + toolchainFor(mod)
	if err := download(toolchain); err != nil {
		return p, err
	}
	if err := errors.Join(os.CopyFS(src, os.DirFS(is.Dir)), leaveOut(src, mod)); err != nil {
		return p, err
	}
	_, cpu, err := command(src, []string{toolchain}, "go", "build", "-trimpath", "-buildvcs=false", "-o", p.path,
		"-ldflags", "-s -w -X "+s.module+"/version.dev=no", s.main)
	p.from, p.cpu, p.day = fmt.Sprintf("%s@v%s, %s", s.module, e.Version, toolchain), cpu, dayOf(is.Info)
	return p, err
}

// toolchainFor is the Go that a module requires, or this one if it is new enough.
func toolchainFor(mod *modfile.File) string {
	if mod.Go == nil || version.Compare("go"+mod.Go.Version, runtime.Version()) <= 0 {
		return "local"
	}
	if strings.Count(mod.Go.Version, ".") == 1 && version.IsValid("go"+mod.Go.Version+".0") {
		return "go" + mod.Go.Version + ".0"
	}
	return "go" + mod.Go.Version
}

// leaveOut writes packages in place of modules that are directories of the repository, and so not in
// its own module: backends, which no case uses, and what only tests import.
func leaveOut(src string, mod *modfile.File) error {
	for _, r := range mod.Replace {
		if !modfile.IsDirectoryPath(r.New.Path) {
			continue
		}
		if !filepath.IsLocal(r.New.Path) {
			return fmt.Errorf("go.mod replaces %s by a directory elsewhere", r.Old.Path)
		}
		dir := filepath.Join(src, r.New.Path)
		text := fmt.Sprintf("package %s\n\nimport %q\n\nfunc New() backend.Backend { panic(\"it is left out\") }\n", filepath.Base(dir), mod.Module.Mod.Path+"/internal/backend")
		if err := errors.Join(os.MkdirAll(dir, 0o777),
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+r.Old.Path+"\n\ngo 1.21\n"), 0o666),
			os.WriteFile(filepath.Join(dir, "backend.go"), []byte(text), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// dayOf is the day in what the module proxy knows of a release.
func dayOf(info string) string {
	var is struct{ Time time.Time }
	if text, err := os.ReadFile(info); err != nil || json.Unmarshal(text, &is) != nil {
		return ""
	}
	return is.Time.Format(time.DateOnly)
}

// command runs a program, and returns its output and the time that the processors spent on it. The
// error ends with the last lines of what it said.
func command(dir string, env []string, name string, args ...string) (out string, cpu time.Duration, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stdout, all strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &all
	if err = cmd.Run(); err != nil {
		said := stdout.String() + all.String()
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said[max(0, len(said)-5000):])
	}
	if cmd.ProcessState != nil {
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return stdout.String(), cpu, err
}
