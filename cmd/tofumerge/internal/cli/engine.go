package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Which release of which engine a run follows, module by module.

// engineVariable is the environment variable that names the engine.
const EngineVariable = "TOFUMERGE_ENGINE"

// engines finds out which engine each module is for.
type Engines struct {
	Flag     string // of --engine
	Printed  bool   // the result says which engine it is
	choices  enginechoice.Memo
	reported sync.Map // what was said of them
}

// engineFor is the engine of the module in a directory.
func (a *app) Engine(dir string) (enginechoice.Choice, error) {
	return a.Engines.choices.Once(repo.Absolute(dir), func() (enginechoice.Choice, error) {
		choice, err := enginechoice.Choose(a.EngineWishes(), a.engineReader(dir))
		if err == nil {
			a.reportEngine(choice)
		}
		return choice, err
	})
}

// engineReader reads what may choose the engine of a module, on the disk or in an editor.
func (a *app) engineReader(dir string) enginechoice.Reader {
	disk := enginechoice.Disk{
		Upward: slices.Collect(repo.Upward(dir)), NameOf: repo.FromHere, LeadsOut: repo.LeadsOut, Dir: dir,
		From: load.Options{MaxFileSize: a.MaxFileSize, Read: a.Files.Read, Contents: a.Files.Open},
	}
	if len(a.Files.Settings) == 0 {
		return disk
	}
	return enginechoice.Editor{Disk: disk, Open: a.Files.SettingsText}
}

// engineWishes are what the user says of the engine.
func (a *app) EngineWishes() enginechoice.Wishes {
	w := enginechoice.Wishes{
		Given: []enginechoice.Named{
			{Text: a.Engines.Flag, From: "--engine"}, {Text: a.Env(EngineVariable), From: EngineVariable},
		},
		Settings: func(dir string) (enginechoice.Named, error) { return engineInSettings(&a.Settings, dir) },
	}
	if given := a.Settings.Given; given != nil {
		w.Settings = nil
		w.Given = append(w.Given, engineOfSettings(given, a.Settings.GivenName))
	}
	return w
}

// engineInSettings is the engine that the settings file of a directory names, if any.
func engineInSettings(files *policy.Files, dir string) (enginechoice.Named, error) {
	s, from, err := files.In(dir)
	if err != nil {
		return enginechoice.Named{}, err
	}
	return engineOfSettings(s, from), nil
}

// engineOfSettings is the engine that settings name, if any.
func engineOfSettings(s *policy.Settings, from string) enginechoice.Named {
	if s == nil || s.Engine == nil {
		return enginechoice.Named{}
	}
	return enginechoice.Named{Text: *s.Engine, From: from}
}

// isEngineGiven reports whether the user says which engine counts, whatever files say.
func (a *app) IsEngineGiven() bool { return a.EngineWishes().IsGiven() }

// reportEngine says what is in doubt, and, under -v, what was found.
func (a *app) reportEngine(c enginechoice.Choice) {
	text := strings.Join(slices.Concat(c.Passed, c.Doubts, []string{c.String()}), "\n")
	if _, known := a.Engines.reported.LoadOrStore(text, true); known {
		return
	}
	for _, doubt := range c.Doubts {
		a.Warn(doubt)
	}
	if !a.Verbose {
		known, isNewer := c.Baseline()
		if isNewer && !a.Engines.Printed && known.Minor() != c.Minor() { // no releases of a minor differ
			a.Note(fmt.Sprintf("Note: tofumerge doesn't know %s (%s) yet and follows %s", c.Release, c.From, known))
		}
		return
	}
	for _, passed := range c.Passed {
		a.Tell("engine: " + passed)
	}
	a.Tell("engine: " + c.String())
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
