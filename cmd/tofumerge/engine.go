package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	goversion "github.com/hashicorp/go-version"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Which release of which engine a run follows, module by module.

// engineVariable is the environment variable that names the engine.
const engineVariable = "TOFUMERGE_ENGINE"

// An engineChoice is the engine for a module, and what chose it.
type engineChoice struct {
	engine.Release
	from string
}

// byDefault is the origin of an engine that nothing names.
const byDefault = "default"

// String words the choice for people.
func (c engineChoice) String() string {
	if known, isNewer := c.Baseline(); isNewer {
		return fmt.Sprintf("%s (by %s; newer than all that is known, so it is taken to be like %s)", c.Release, c.from, known)
	}
	return fmt.Sprintf("%s (by %s)", c.Release, c.from)
}

// engines finds out which engine each module is for.
type engines struct {
	flag     string   // of --engine
	dirs     sync.Map // *found, by directory
	reported sync.Map // what was said of them
}

type found struct {
	once   sync.Once
	choice engineChoice
	doubt  string // what is not certain, with the remedy
	err    error
}

// engineFor is the engine of the module in a directory: by --engine, by the
// environment, by the file of --config, by the nearest version file in it or above it,
// which says what is run there, by the nearest settings file that names one; else the
// newest one that is known of the default product.
func (a *app) engineFor(dir string) (engineChoice, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		path = dir
	}
	known, _ := a.engines.dirs.LoadOrStore(path, &found{})
	f := known.(*found)
	f.once.Do(func() {
		f.choice, f.doubt, f.err = a.findEngine(dir)
		a.reportEngine(f)
	})
	return f.choice, f.err
}

// tellEngine says what is in doubt, and, under -v, what was found.
func (a *app) reportEngine(f *found) {
	if f.err != nil {
		return
	}
	if _, known := a.engines.reported.LoadOrStore(f.choice.String()+f.doubt, true); known {
		return
	}
	if f.doubt != "" {
		a.warn(f.doubt)
	}
	if _, isNewer := f.choice.Baseline(); a.verbose && (isNewer || f.choice.from != byDefault) {
		a.tell(fmt.Sprintf("engine: %s", f.choice))
	}
}

func (a *app) findEngine(dir string) (engineChoice, string, error) {
	if text := a.engines.flag; text != "" {
		return named(text, "--engine")
	}
	if text := a.env(engineVariable); text != "" {
		return named(text, engineVariable)
	}
	given := a.settings.given
	if given != nil && given.Engine != nil {
		return named(*given.Engine, diag.Escape(fromHere(a.settings.file)))
	}
	if c, doubt, err := versionFile(dir); err != nil {
		return c, doubt, versionFileError{err}
	} else if c.from != "" {
		return c, doubt, nil
	}
	if given == nil {
		for at := range upward(dir) {
			switch s, err := a.settingsIn(at); {
			case err != nil:
				return engineChoice{}, "", err
			case s != nil && s.Engine != nil:
				return named(*s.Engine, diag.Escape(fromHere(filepath.Join(at, configName))))
			}
		}
	}
	return engineChoice{engine.Default(), byDefault}, "", nil
}

// isEngineGiven reports whether the user says which engine counts, whatever files say.
func (a *app) isEngineGiven() bool {
	return a.engines.flag != "" || a.env(engineVariable) != "" || a.settings.given != nil && a.settings.given.Engine != nil
}

// A versionFileError means that a version file names no engine. The fault is in a
// directory, not in the arguments.
type versionFileError struct{ error }

// named is the engine that something names.
func named(text, from string) (engineChoice, string, error) {
	e, err := engine.Parse(text)
	if err != nil {
		return engineChoice{}, "", fmt.Errorf("%s: %w", from, err)
	}
	return engineChoice{e, from}, "", nil
}

// versionFile is the engine that the nearest version file names; without one the
// choice has no origin.
func versionFile(dir string) (engineChoice, string, error) {
	for at := range upward(dir) {
		for _, product := range engine.Products() {
			name := filepath.Join(at, product.VersionFile())
			text, err := input.Read(name, input.MaxVersionSize)
			switch {
			case err != nil && !isThere(name):
				continue // that a directory can't be looked into is said when it is read
			case err != nil:
				return engineChoice{}, "", fmt.Errorf(
					"can't read %s: %w; --engine names the engine without it", diag.Escape(fromHere(name)), worldly(err),
				)
			}
			choice, doubt, err := readVersion(product, diag.Escape(fromHere(name)), text)
			if err != nil && leadsOut(name) {
				err = fmt.Errorf(
					"%s names no known version. %s --engine names the engine without it", diag.Escape(fromHere(name)), load.NotQuoted,
				)
			}
			return choice, doubt, err
		}
	}
	return engineChoice{}, "", nil
}

// isThere reports whether a directory has a name, even if that is a link that leads
// nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// maxVersion is how many bytes a version, or a pattern of versions, has at most.
const maxVersion = 200

// readVersion reads what a version file says: a version, latest or latest:REGEX.
// What depends on more than the file is in doubt, and the newest known release is
// taken.
func readVersion(product engine.Product, name string, text []byte) (engineChoice, string, error) {
	wanted := firstWord(text)
	switch pattern, isPattern := strings.CutPrefix(wanted, "latest:"); {
	case len(wanted) > maxVersion:
		return engineChoice{}, "", fmt.Errorf("%s: its first word is no version, since it has %d bytes; write for example %s, or name another engine with --engine", name, len(wanted), product.Newest().Version)
	case wanted == "":
		return engineChoice{}, "", fmt.Errorf("%s names no version; write one, such as %s", name, product.Newest().Version)
	case wanted == "latest-allowed", wanted == "min-required":
		return engineChoice{product.Newest(), name}, fmt.Sprintf("%s says %s, which names no release by itself, so that the rules of %s are followed; --engine %s@VERSION names one", name, wanted, product.Newest(), product), nil
	case isPattern:
		e, err := newestLike(product, pattern)
		if err != nil {
			return engineChoice{}, "", fmt.Errorf(
				"%s says %s, %w; --engine %s@VERSION names one", name, diag.Escape(wanted), err, product,
			)
		}
		return engineChoice{e, name}, "", nil
	case wanted != "latest" && !isVersion(wanted):
		return engineChoice{}, "", fmt.Errorf("%s: %q is no version of %s; write for example %s, or name another engine with --engine", name, wanted, product.Title(), product.Newest().Version)
	}
	e, err := product.Release(wanted)
	if err != nil {
		return engineChoice{}, "", fmt.Errorf("%s: %w; --engine names another one", name, err)
	}
	return engineChoice{e, name}, "", nil
}

func isVersion(text string) bool {
	_, err := goversion.NewVersion(text)
	return err == nil
}

// firstWord is the first word of a text, but for comments and the mark that some
// editors put before everything else.
func firstWord(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if words := strings.Fields(string(line)); len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// newestLike is the newest known release whose version a pattern matches.
func newestLike(product engine.Product, pattern string) (engine.Release, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return engine.Release{}, errors.New("which is no regular expression")
	}
	for _, e := range slices.Backward(product.Observed()) {
		if re.MatchString(e.Version.String()) {
			return e, nil
		}
	}
	return engine.Release{}, errors.New("which no known release matches")
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
