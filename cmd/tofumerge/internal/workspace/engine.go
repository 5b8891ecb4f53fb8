package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
)

// Which release of which engine a run follows, module by module.

// EngineVariable is the environment variable that names the engine.
const EngineVariable = "TOFUMERGE_ENGINE"

// engines finds out which engine each module is for.
type engines struct {
	Flag     string   // of --engine
	Printed  bool     // the result names the engine
	choices  sync.Map // by directory: functions that return what enginechoice.Choose does
	reported sync.Map // messages about them
}

// Engine is the engine of the module in a directory.
func (w *Workspace) Engine(dir string) (enginechoice.Choice, error) {
	choose, _ := w.Engines.choices.LoadOrStore(repo.Absolute(dir), sync.OnceValues(func() (enginechoice.Choice, error) {
		wishes, reader, err := w.engineSources(dir)
		if err != nil {
			return enginechoice.Choice{}, err
		}
		choice, err := enginechoice.Choose(wishes, reader)
		if err == nil {
			w.reportEngine(choice)
		}
		return choice, err
	}))
	return choose.(func() (enginechoice.Choice, error))()
}

// engineSources are the inputs for the choice of a module's engine.
func (w *Workspace) engineSources(dir string) (enginechoice.Wishes, enginechoice.Reader, error) {
	wishes := w.engineWishes()
	if !w.Tracked {
		return wishes, w.engineReader(dir), nil
	}
	r, root, err := w.trackedEngine(dir, load.Options{MaxFileSize: w.MaxFileSize})
	if in := wishes.Settings; in != nil {
		wishes.Settings = func(dir string) (enginechoice.EngineName, error) {
			return in(filepath.Join(root, filepath.FromSlash(dir)))
		}
	}
	return wishes, r, err
}

// engineReader reads the files that may choose the engine of a module, on the disk or in an editor.
func (w *Workspace) engineReader(dir string) enginechoice.Reader {
	return enginechoice.Reader{
		Files: repo.Disk{Open: w.Files.SettingsText}, Dirs: slices.Collect(repo.Ancestors(dir)), NameOf: repo.FromHere, Module: dir,
		Loading: load.Options{MaxFileSize: w.MaxFileSize, Read: w.Files.Read, Contents: w.Files.Open},
	}
}

// engineWishes are the user's choices of the engine.
func (w *Workspace) engineWishes() enginechoice.Wishes {
	wishes := enginechoice.Wishes{
		Given: []enginechoice.EngineName{
			{Text: w.Engines.Flag, From: "--engine"}, {Text: w.Env(EngineVariable), From: EngineVariable},
		},
		Settings: func(dir string) (enginechoice.EngineName, error) { return engineInSettings(&w.Settings, dir) },
	}
	if given := w.Settings.Override; given != nil {
		wishes.Settings = nil
		wishes.Given = append(wishes.Given, engineOfSettings(given))
	}
	return wishes
}

// engineInSettings is the engine that the settings file of a directory names, if any.
func engineInSettings(files *policy.Files, dir string) (enginechoice.EngineName, error) {
	s, err := files.In(dir)
	return engineOfSettings(s), err
}

// engineOfSettings is the engine that settings name, if any.
func engineOfSettings(s *policy.Settings) enginechoice.EngineName {
	if s == nil || s.Engine == nil {
		return enginechoice.EngineName{}
	}
	return enginechoice.EngineName{Text: *s.Engine, From: s.Name()}
}

// IsEngineGiven reports whether the user chooses the engine, regardless of files.
func (w *Workspace) IsEngineGiven() bool { return w.engineWishes().IsGiven() }

// reportEngine prints doubts, and, under -v, the choice and its reason.
func (w *Workspace) reportEngine(c enginechoice.Choice) {
	text := strings.Join(slices.Concat(c.Passed, c.Doubts, []string{c.String()}), "\n")
	if _, known := w.Engines.reported.LoadOrStore(text, true); known {
		return
	}
	for _, doubt := range c.Doubts {
		w.Warn(doubt)
	}
	if !w.Verbose {
		known, isNewer := c.Baseline()
		if isNewer && !w.Engines.Printed && known.Minor() != c.Minor() { // no releases of a minor differ
			w.Note(fmt.Sprintf("Note: tofumerge doesn't know %s (%s) yet and follows %s", c.Release, c.From, known))
		}
		return
	}
	for _, passed := range c.Passed {
		w.Tell("engine: " + passed)
	}
	w.Tell("engine: " + c.String())
}
