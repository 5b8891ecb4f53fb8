package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Which release of which engine a run follows, module by module.

// engineVariable is the environment variable that names the engine.
const engineVariable = "TOFUMERGE_ENGINE"

// An engineChoice is the engine for a module, and what chose it.
type engineChoice struct {
	engine.Release
	from    string // a flag, a variable or a file
	assumed string // what follows from: what it doesn't say, and what is assumed instead
}

// byDefault is the origin of an engine that nothing names.
const byDefault = "default"

// String words the choice for people.
func (c engineChoice) String() string { return fmt.Sprintf("%s (%s)", c.Release, c.reason()) }

// reason says why the engine was chosen.
func (c engineChoice) reason() string {
	words := "by " + c.from + c.assumed
	if c.from == byDefault {
		words = "no version file; the newest known"
	}
	if known, isNewer := c.Baseline(); isNewer {
		words += fmt.Sprintf("; newer than every known release, so the rules of %s apply", known)
	}
	return words
}

// engines finds out which engine each module is for.
type engines struct {
	flag     string   // of --engine
	printed  bool     // the result says which engine it is
	dirs     sync.Map // *found, by directory
	reported sync.Map // what was said of them
}

type found struct {
	once   sync.Once
	choice engineChoice
	doubts []string // what is not certain, with the remedy
	passed []string // evidence that decides nothing, and why
	err    error
}

// engineFor is the engine of the module in a directory. docs/engines/README.md lists
// what it is chosen by, and in which order.
func (a *app) engineFor(dir string) (engineChoice, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		path = dir
	}
	known, _ := a.engines.dirs.LoadOrStore(path, &found{})
	f := known.(*found)
	f.once.Do(func() {
		f.err = a.findEngine(f, dir)
		a.reportEngine(f)
	})
	return f.choice, f.err
}

// reportEngine says what is in doubt, and, under -v, what was found.
func (a *app) reportEngine(f *found) {
	if f.err != nil {
		return
	}
	text := strings.Join(slices.Concat(f.passed, f.doubts, []string{f.choice.String()}), "\n")
	if _, known := a.engines.reported.LoadOrStore(text, true); known {
		return
	}
	for _, doubt := range f.doubts {
		a.warn(doubt)
	}
	if !a.verbose {
		known, isNewer := f.choice.Baseline()
		if isNewer && !a.engines.printed && known.Minor() != f.choice.Minor() { // no releases of a minor differ
			a.note(fmt.Sprintf("Note: tofumerge doesn't know %s (%s) yet and follows %s", f.choice.Release, f.choice.from, known))
		}
		return
	}
	for _, passed := range f.passed {
		a.tell("engine: " + passed)
	}
	a.tell("engine: " + f.choice.String())
}

// findEngine asks for evidence, the strongest first, until something names an engine.
func (a *app) findEngine(f *found, dir string) (err error) {
	if text := a.engines.flag; text != "" {
		f.choice, err = named(text, "--engine")
		return err
	}
	if text := a.env(engineVariable); text != "" {
		f.choice, err = named(text, engineVariable)
		return err
	}
	given := a.settings.given
	if given != nil && given.Engine != nil {
		f.choice, err = named(*given.Engine, diag.Escape(fromHere(a.settings.file)))
		return err
	}
	dirs := slices.Collect(repo.Upward(dir))
	if err := f.byVersionFile(dirs, &a.files); err != nil {
		return err
	}
	if f.choice.from == "" {
		f.byManagers(dirs, &a.files)
	}
	if f.choice.from == "" && given == nil {
		if f.choice, err = a.engineInSettings(dirs); err != nil {
			return err
		}
	}
	if f.choice.from == "" {
		f.byModule(dir, load.Options{MaxFileSize: a.maxSize, Read: a.files.read, Contents: a.files.open})
	}
	if f.choice.from == "" {
		f.choice = engineChoice{Release: engine.Default(), from: byDefault}
	}
	return nil
}

// engineInSettings is the engine that the nearest settings file names; without one the
// choice has no origin.
func (a *app) engineInSettings(dirs []string) (engineChoice, error) {
	for _, at := range dirs {
		switch s, err := a.settingsIn(at); {
		case err != nil:
			return engineChoice{}, err
		case s != nil && s.Engine != nil:
			return named(*s.Engine, diag.Escape(fromHere(filepath.Join(at, configName))))
		}
	}
	return engineChoice{}, nil
}

// isEngineGiven reports whether the user says which engine counts, whatever files say.
func (a *app) isEngineGiven() bool {
	return a.engines.flag != "" || a.env(engineVariable) != "" || a.settings.given != nil && a.settings.given.Engine != nil
}

// A versionFileError means that a version file names no engine. The fault is in a
// directory, not in the arguments.
type versionFileError struct {
	error
	file string
}

// named is the engine that something names.
func named(text, from string) (engineChoice, error) {
	e, err := engine.Parse(text)
	if err != nil {
		return engineChoice{}, fmt.Errorf("%s: %w", from, err)
	}
	return engineChoice{Release: e, from: from}, nil
}

// completeEngine gives the shell the names of the known engines.
func completeEngine(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, product := range engine.Products() {
		names = append(names, string(product))
	}
	for _, e := range engine.Observed() {
		names = append(names, fmt.Sprintf("%s@%s", e.Product, e.Minor()))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, word) })
	return names, noFiles
}
