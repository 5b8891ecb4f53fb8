package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// runTool runs the tool, for each module where its arguments name one, and returns the highest status.
func (t *execTree) runTool() (status int, err error) {
	m := &relocate.Mapper{Copy: t.copy, Original: t.root}
	modules := []string{""}
	if slices.ContainsFunc(t.tool[1:], func(arg string) bool { return strings.Contains(arg, "{}") }) {
		modules = t.modules
	}
	for _, module := range modules {
		m.Find = func(p relocate.Place) (relocate.Place, bool, bool) { return t.find(p, module) }
		ended, err := t.runOnce(m, module)
		if err != nil {
			return status, err
		}
		status = max(status, ended)
	}
	if m.Unmapped > 0 {
		t.execOptions.ws.Note(wording.Count(m.Unmapped, "place") + " could not be translated: the flattened files have no such lines")
	}
	return status, nil
}

// dir is the directory that the tool runs in, as seen from the root.
func (t *execTree) dir() string {
	dir, err := filepath.Rel(t.root, repo.Real(repo.In(t.execOptions.ws.Base(), t.flattener.run.Named[0])))
	if err != nil {
		return "."
	}
	return dir
}

func (t *execTree) runOnce(m *relocate.Mapper, module string) (status int, err error) {
	ws := t.execOptions.ws
	name, err := filepath.Rel(t.dir(), module)
	if err != nil {
		name = module
	}
	args := slices.Clone(t.tool[1:])
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{}", name)
	}
	cmd := exec.Command(t.tool[0], args...)
	cmd.Dir = filepath.Join(t.copy, t.dir())
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "PWD="+cmd.Dir)
	cmd.WaitDelay = 5 * time.Second // for programs that stay and hold the streams
	cmd.Stdin = ws.In
	if t.mapping == "none" {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return t.wait(cmd)
	}
	out, errs := m.NewWriter(flushing{ws.Out, ws.Flush}), m.NewWriter(ws.Err)
	cmd.Stdout, cmd.Stderr = out, errs
	status, err = t.wait(cmd)
	return status, errors.Join(err, out.Close(), errs.Close())
}

// A flushing writer holds nothing back.
type flushing struct {
	to    io.Writer
	flush func() error
}

// Write implements io.Writer.
func (f flushing) Write(text []byte) (int, error) {
	n, err := f.to.Write(text)
	return n, errors.Join(err, f.flush())
}

// wait starts the tool, passes signals on to it, and returns its status.
func (t *execTree) wait(cmd *exec.Cmd) (int, error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("can't run %s: %w", diag.Escape(t.tool[0]), input.StripPath(err))
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case s := <-signals:
				if s != os.Interrupt { // a terminal sends those to the tool, too
					_ = cmd.Process.Signal(s) // it may have ended
				}
			case <-done:
				return
			}
		}
	}()
	err := cmd.Wait()
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		if ended.ExitCode() >= 0 {
			return ended.ExitCode(), nil
		}
		t.execOptions.ws.Warn(fmt.Sprintf("%s ended by %s", diag.Escape(t.tool[0]), ended.ProcessState))
		return 128, nil
	case errors.Is(err, exec.ErrWaitDelay):
		t.execOptions.ws.Warn("a program that the tool started holds its output; the rest of that is lost")
		return cmd.ProcessState.ExitCode(), nil
	case err != nil:
		return 0, fmt.Errorf("can't run %s: %w", diag.Escape(t.tool[0]), input.StripPath(err))
	}
	return 0, nil
}

// find finds the original of a place that the tool printed, as seen from where it runs or from the module
// that it was given.
func (t *execTree) find(p relocate.Place, module string) (to relocate.Place, isCopy, isKnown bool) {
	name := filepath.FromSlash(p.Name)
	var f *flatText
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(t.copy, name); err == nil {
			f = t.flat[rel]
		}
	} else {
		f = t.flat[filepath.Join(t.dir(), name)]
		if f == nil && module != "" {
			f = t.flat[filepath.Join(module, name)]
		}
	}
	if f == nil {
		return p, false, false
	}
	at, ok := f.lines.At(p.Line)
	if !ok {
		return p, true, false
	}
	dir := p.Name[:len(p.Name)-len(filepath.Base(name))]
	return relocate.Place{Name: dir + at.Origins[0].File, Line: at.Origins[0].Line}, true, true
}
