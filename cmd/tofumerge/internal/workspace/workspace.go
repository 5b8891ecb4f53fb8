package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
)

// A Workspace is how a run reaches modules. Flags set its exported fields before the first
// module is loaded. Several goroutines may use it after that.
type Workspace struct {
	*terminal.Console
	Seams
	Chdirs      []string // of --chdir
	MaxFileSize int64
	Schema      string // of --provider-schema

	ShowSource bool
	NoIgnore   bool // comments silence nothing
	Tracked    bool // modules are read from the index of git; see UseIndex

	Engines   engines
	Settings  policy.Files
	Revisions revisions

	outputs            []*writeback.Output // files that the run writes
	Files              Files               // where the files of modules are
	Overlays, Excluded []string            // of --overlay and --exclude-override
	Loading            *load.Options       // the options from these flags, once computed
	loading            sync.Mutex          // guards Loading while it is computed
	callers            CallerIndexes
	isExcluding        []atomic.Bool  // by pattern of Excluded: it has left out a file
	ignored            map[string]int // by rule: what comments silenced
}

// Seams are where tests, and the settings of the process, take part in a run.
type Seams struct {
	Heap *process.Heap // nil leaves the collector alone
	// Parsed is load.Options.Parsed.
	Parsed bool
	// Interrupt is called before each step that changes a directory, and may end the run there; it
	// may be nil.
	Interrupt func(step int) error
	// SharedCallers, if set, are known to other workspaces, too.
	SharedCallers *CallerIndexes
	// Checking gets the directory of each module before check looks at it; it
	// may be nil.
	Checking func(dir string)
}

// Base is the directory that the command runs in, as if it had been started there.
func (w *Workspace) Base() string {
	dir := ""
	for _, d := range w.Chdirs {
		dir = repo.In(dir, d)
	}
	return dir
}

// Dir is the directory of the module that the first argument names.
func (w *Workspace) Dir(args []string) string {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	return repo.In(w.Base(), dir)
}

// Prefix is the path of a directory's files from the working directory, with slashes.
func (w *Workspace) Prefix(path string) string {
	if path = repo.From(repo.In(w.Base(), "."), path); path == "." {
		return ""
	}
	return filepath.ToSlash(path) + "/"
}

// ExpectMany prepares a run for more than one module. Functions that are called with the size of
// the input are meant for one.
func (w *Workspace) ExpectMany() {
	w.Heap.ForMany()
}

// Which release of which engine a run follows, module by module.

// EngineVariable is the environment variable that names the engine.
const EngineVariable = "TOFUMERGE_ENGINE"

// engines finds out which engine each module is for.
type engines struct {
	Flag     string   // of --engine
	Printed  bool     // the result names the engine
	choices  sync.Map // by directory: functions that return what enginechoice.Choose does
	reported sync.Map // messages about them
	read     sync.Map // load.Options.Ahead
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
		Loading: load.Options{MaxFileSize: w.MaxFileSize, Read: w.Files.Read, Contents: w.Files.Open, Ahead: &w.Engines.read},
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
