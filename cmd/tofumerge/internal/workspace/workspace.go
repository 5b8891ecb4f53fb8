// Package workspace gives commands access to modules: by flags and settings, the engine that is
// followed, the files of the disk, an editor or a revision, and the calls between modules.
//
// From flags and the directories of modules, it makes merged modules with their diagnostics. Doubts
// about the engine are printed here, once, on the console. The package knows no command and writes
// no file.
//
// Calls are followed from the source in effect to local directories, and to those that "tofu init"
// or "terraform init" installed (Loader). Each directory is loaded once. A tree of more modules than
// is reasonable is refused: a few directories that call each other make any number of them.
package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// A Workspace gives a run access to modules. Flags set its exported fields before the first module is loaded;
// after that, several goroutines may use it.
type Workspace struct {
	*terminal.Console
	Seams
	Chdirs      []string // of --chdir
	MaxFileSize int64
	Schema      string // of --provider-schema

	ShowSource bool
	NoIgnore   bool   // comments silence nothing
	Tracked    bool   // modules are read from git's index, or from a revision; see UseRevision
	at         string // the revision that Tracked reads; empty for the index

	Engines   engines
	Settings  policy.Files
	Revisions revisions

	outputs            []*writeback.Output // files that the run writes
	Files              Files               // where the files of modules are
	Overlays, Excluded []string            // of --overlay and --exclude-override
	Without            []string            // of --without; see Sides
	Loading            *load.Options       // the options from these flags, once computed
	loading            sync.Mutex          // guards Loading while it is computed
	isExcluding        []atomic.Bool       // by pattern of Excluded and then of Without: it has left out a file
	ignored            map[string]int      // by rule: what comments silenced
}

// Seams let tests and the settings of the process take part in a run.
type Seams struct {
	Heap *process.Heap // nil leaves the collector alone
	// Parsed is load.Options.Parsed.
	Parsed bool
	// Interrupt, if set, is called before each step that changes a directory. An error ends the run there.
	Interrupt func(step int) error
	// Checking, if set, gets the directory of each module before check looks at it.
	Checking func(dir string)
}

// Base returns the directory that the command works in: --chdir, relative to the working directory.
func (w *Workspace) Base() string {
	dir := ""
	for _, d := range w.Chdirs {
		dir = repo.In(dir, d)
	}
	return dir
}

// Dir returns the directory that the first argument names, or else Base.
func (w *Workspace) Dir(args []string) string {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	return repo.In(w.Base(), dir)
}

// Prefix returns what messages print before the names of a directory's files: the path from Base with
// slashes, and one at its end; empty for Base itself.
func (w *Workspace) Prefix(path string) string {
	if path = repo.From(repo.In(w.Base(), "."), path); path == "." {
		return ""
	}
	return filepath.ToSlash(path) + "/"
}

// ExpectMany tunes the heap for a run on several modules. Its tuning by the size of the input assumes a
// single one.
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
	reported sync.Map // messages printed about engines
	read     sync.Map // load.Options.Ahead
}

// Engine returns the engine for the module in a directory. It chooses once for each directory, and then
// prints its doubts.
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

// engineSources returns what the choice of a module's engine depends on: the user's wishes, and a reader of
// files. The files are on the disk, in an editor or in the index; messages name them as in the working tree.
// dir is the path of the module's directory on the disk.
func (w *Workspace) engineSources(dir string) (enginechoice.Wishes, enginechoice.Reader, error) {
	wishes, opts := w.engineWishes(), load.Options{MaxFileSize: w.MaxFileSize}
	// From the disk or an editor.
	if !w.Tracked {
		opts.Read, opts.Contents, opts.Ahead = w.Files.Read, w.Files.Open, &w.Engines.read
		return wishes, enginechoice.Reader{
			Files: repo.Disk{Open: w.Files.SettingsText}, Dirs: slices.Collect(repo.Ancestors(dir)), NameOf: repo.FromHere, Module: dir, Loading: opts,
		}, nil
	}
	// From the index, in which paths start at the root of the repository.
	index, err := w.Index(dir)
	if err == nil {
		opts.From, err = w.trackedDir(dir)
	}
	if err != nil {
		return wishes, enginechoice.Reader{}, err
	}
	inIndex, _ := PathIn(index, dir)
	onDisk := func(inIndex string) string { return filepath.Join(index.Root, filepath.FromSlash(inIndex)) }
	r := enginechoice.InTree(index, inIndex, opts)
	r.NameOf = func(inIndex string) string { return repo.FromHere(onDisk(inIndex)) }
	// The reader's directories are paths in the index, but settings are found by paths on the disk.
	if settingsOf := wishes.Settings; settingsOf != nil {
		wishes.Settings = func(inIndex string) (enginechoice.EngineName, error) { return settingsOf(onDisk(inIndex)) }
	}
	return wishes, r, nil
}

// engineWishes returns the user's choices of the engine: --engine, the variable, and settings. Settings of
// --config count for all modules, those of settings files for the modules below.
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

// engineInSettings returns the engine that the settings file of a directory names; an empty one if it names none.
func engineInSettings(files *policy.Files, dir string) (enginechoice.EngineName, error) {
	s, err := files.In(dir)
	return engineOfSettings(s), err
}

// engineOfSettings returns the engine that settings name; an empty one if they name none. s may be nil.
func engineOfSettings(s *policy.Settings) enginechoice.EngineName {
	if s == nil || s.Engine == nil {
		return enginechoice.EngineName{}
	}
	return enginechoice.EngineName{Text: *s.Engine, From: s.Name()}
}

// IsEngineGiven reports whether the user chooses the engine, regardless of files.
func (w *Workspace) IsEngineGiven() bool { return w.engineWishes().IsGiven() }

// reportEngine prints doubts about an engine, and under -v the choice and its reason; each text once a run.
func (w *Workspace) reportEngine(c enginechoice.Choice) {
	text := strings.Join(slices.Concat(c.Passed, c.Doubts, []string{c.String()}), "\n")
	if _, known := w.Engines.reported.LoadOrStore(text, true); known {
		return
	}
	for _, doubt := range c.Doubts {
		w.Warn(doubt)
	}
	// Without -v, an uncertain choice gets a note, unless the result names the engine.
	if !w.Verbose {
		if note := c.Uncertainty(); note != "" && !w.Engines.Printed {
			w.Note("Note: " + note)
		}
		return
	}
	for _, passed := range c.Passed {
		w.Tell("engine: " + passed)
	}
	w.Tell("engine: " + c.String())
}

// How every command loads a module, as the flags of all commands require.

// Files redirects the reading of a module's files, if not all are read from the disk.
type Files struct {
	Read func(path string, limit int64) ([]byte, error) // load.Options.Read
	Open map[string][]byte                              // load.Options.Contents: open in an editor, maybe not saved
	// Settings are the texts of settings and version files that are open in an editor, by path.
	Settings map[string][]byte
}

// SettingsText returns the text of a settings or version file that is open in an editor. Links may give its
// directory several names; any of them finds it.
func (s *Files) SettingsText(name string) (text []byte, isOpen bool) {
	if len(s.Settings) == 0 {
		return nil, false
	}
	name = repo.Absolute(name)
	if text, isOpen = s.Settings[name]; isOpen {
		return text, true
	}
	// The same name in a directory that is the same under another name.
	for path, text := range s.Settings {
		if filepath.Base(path) == filepath.Base(name) && repo.IsSameFile(filepath.Dir(path), filepath.Dir(name)) {
			return text, true
		}
	}
	return nil, false
}

// Options returns the options set by the flags of all commands. It computes them once, because standard input
// can be read only once.
func (w *Workspace) Options() (load.Options, error) {
	w.loading.Lock()
	defer w.loading.Unlock()
	if w.Loading != nil {
		return *w.Loading, nil
	}
	opts, err := w.ReadOptions()
	if err == nil {
		w.Loading = &opts
	}
	return opts, err
}

// OptionsFor returns Options for the module in a directory: with its engine, and with its tracked files under
// --tracked.
func (w *Workspace) OptionsFor(dir string) (load.Options, error) { return w.optionsFor(dir, true) }

// optionsFor is OptionsFor for one side of a comparison: --without leaves out files only on the right one.
func (w *Workspace) optionsFor(dir string, isRight bool) (load.Options, error) {
	opts, err := w.Options()
	if err != nil {
		return opts, err
	}
	opts.Excluded = w.exclusion(isRight)
	if w.Tracked {
		if opts.From, err = w.trackedDir(dir); err != nil {
			return opts, err
		}
	}
	engine, err := w.Engine(dir)
	opts.Engine = engine.Release
	return opts, err
}

// ReadOptions computes Options anew. It reads standard input if an overlay comes from there.
func (w *Workspace) ReadOptions() (load.Options, error) {
	opts := load.Options{MaxFileSize: w.MaxFileSize, ShowSource: w.ShowSource, EscapesRepo: repo.EscapesRepo, Parsed: w.Parsed, Read: w.Files.Read}
	opts.Sized = w.Heap.Sized    // tunes the garbage collector by the size of the files
	opts.Ahead = &w.Engines.read // texts that the choice of the engine has read already
	var err error
	if w.Schema != "" {
		if opts.Schema, err = providerschema.Read(repo.In(w.Base(), w.Schema), w.MaxFileSize); err != nil {
			return opts, err
		}
	}
	if opts.Overlays, err = w.readOverlays(); err != nil {
		return opts, err
	}
	if err := cmp.Or(policy.CheckFileGlobs(w.Excluded, " for --exclude-override"), policy.CheckFileGlobs(w.Without, " for --without")); err != nil {
		return opts, err
	}
	w.isExcluding = make([]atomic.Bool, len(w.Excluded)+len(w.Without))
	opts.Excluded = w.exclusion(true) // true: as on the right side; optionsFor replaces it for the left one
	return opts, nil
}

// readOverlays returns the files of --overlay, with their texts only if they come from standard input.
func (w *Workspace) readOverlays() ([]load.Overlay, error) {
	var list []load.Overlay
	for i, name := range w.Overlays {
		switch {
		case name == "":
			return nil, errors.New("--overlay needs the name of a file, or - for standard input")
		case slices.Contains(w.Overlays[:i], name):
			return nil, fmt.Errorf("--overlay %s is given twice; remove one", diag.Escape(name))
		case name != "-":
			if info, err := os.Stat(repo.In(w.Base(), name)); err != nil {
				return nil, fmt.Errorf("can't read --overlay %s: %w", diag.Escape(name), input.StripPath(err))
			} else if info.IsDir() {
				return nil, fmt.Errorf("can't read --overlay %s: it is a directory", diag.Escape(name))
			} else if !info.Mode().IsRegular() {
				return nil, fmt.Errorf("can't read --overlay %s: it is not a regular file; for text from a command, pipe it into --overlay -", diag.Escape(name))
			}
			list = append(list, load.Overlay{Name: filepath.ToSlash(name), Path: repo.In(w.Base(), name)})
			continue
		}
		// Standard input. One byte more than allowed shows that it is too large.
		given, err := io.ReadAll(io.LimitReader(w.In, w.MaxFileSize+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", err)
		case int64(len(given)) > w.MaxFileSize:
			return nil, fmt.Errorf("can't read standard input for --overlay -: %w", input.TooLargeError(w.MaxFileSize))
		}
		list = append(list, load.Overlay{Name: load.Stdin, Raw: given})
	}
	return list, nil
}

// IsWhatIf reports whether flags add files to modules, or leave some out.
func (w *Workspace) IsWhatIf() bool { return len(w.Overlays)+len(w.Excluded)+len(w.Without) > 0 }

// exclusion returns a function that reports whether --exclude-override, or on the right side of a comparison
// --without, leaves out an override file; nil without patterns. It also records which patterns have left out
// anything, for WarnOfIdleExclusions.
func (w *Workspace) exclusion(isRight bool) func(string) bool {
	globs := w.Excluded
	if isRight {
		globs = slices.Concat(globs, w.Without)
	}
	if len(globs) == 0 {
		return nil
	}
	return func(name string) bool {
		isOut := false
		// All patterns are tried, since each that matches counts as used.
		for i, glob := range globs {
			if spelling.Matches(glob, name) {
				w.isExcluding[i].Store(true)
				isOut = true
			}
		}
		return isOut
	}
}

// WarnOfIdleExclusions warns of each pattern of --exclude-override that left out nothing. It returns an error
// for such a pattern of --without, because then nothing was compared. Call it after all modules are loaded.
func (w *Workspace) WarnOfIdleExclusions() (err error) {
	isUsed := w.isExcluding // empty until the options have been read
	for i, glob := range slices.Concat(w.Excluded, w.Without)[:len(isUsed)] {
		switch {
		case isUsed[i].Load(): // it left out a file
		case i >= len(w.Excluded): // of --without
			return fmt.Errorf("--without %s matches no override file; name one that a module has", diag.Escape(glob))
		default:
			w.Warn(fmt.Sprintf("--exclude-override %s matches no override file", diag.Escape(glob)))
		}
	}
	return nil
}

// OpenOutput finds the file that a flag names for output. It refuses a file that another flag names, too.
func (w *Workspace) OpenOutput(flag, name string) (*writeback.Output, error) {
	to, err := writeback.FindOutput(w.Base(), flag, name)
	if err != nil {
		return nil, err
	}
	for _, other := range w.outputs {
		if to.IsSame(other) {
			return nil, fmt.Errorf("%s is written twice; name two files", to)
		}
	}
	w.outputs = append(w.outputs, to)
	return to, nil
}

// CheckOutput refuses an output file that the module is read from, or that would become part of the module.
func (w *Workspace) CheckOutput(src *load.Module) error {
	var schema []writeback.Input
	if w.Schema != "" {
		schema = append(schema, writeback.Input{Path: repo.In(w.Base(), w.Schema), What: "the file of --provider-schema"})
	}
	for _, to := range w.outputs {
		if err := to.Check(src, policy.FileName, schema...); err != nil {
			return err
		}
	}
	return nil
}

// Load loads and merges the module in a directory. If its files have errors, the diagnostics tell them, and
// the module is what could be understood.
func (w *Workspace) Load(dir string, opts merge.Options) (*merge.Module, hcl.Diagnostics, error) {
	loading, err := w.OptionsFor(dir)
	if err != nil {
		return nil, nil, err
	}
	return merge.Dir(dir, loading, opts)
}

// SizeOf returns the number of bytes in the files of a module, by syntax.
func SizeOf(m *load.Module) (native, json int64) {
	for _, f := range m.Files {
		if f.Syntax == source.JSON {
			json += int64(len(f.Raw))
		} else {
			native += int64(len(f.Raw))
		}
	}
	return native, json
}

// Reading loads and merges the module in a directory as one engine does.
func (w *Workspace) Reading(dir string, e engine.Release) (r compare.Reading, err error) {
	m := &load.Module{Dir: dir} // not read yet: ReadAgain reads all files
	if w.Tracked {
		if m.From, err = w.trackedDir(dir); err != nil {
			return r, err
		}
	}
	return w.ReadAgain(m, e, nil)
}

// ReadAgain loads and merges a module once more, as another engine does. It uses the texts of files that m
// has read, so that memory holds them once. cache, if not nil, holds what earlier calls parsed.
func (w *Workspace) ReadAgain(m *load.Module, e engine.Release, cache *load.Cache) (compare.Reading, error) {
	opts, err := w.Options()
	if err != nil {
		return compare.Reading{}, err
	}
	opts.Engine, opts.From, opts.Cache = e, m.From, cache
	opts.Contents = map[string][]byte{}
	maps.Copy(opts.Contents, w.Files.Open)
	// A file that m has read isn't read again.
	for _, f := range m.Files {
		if f.Raw != nil && !f.Overlay { // opts has the overlays
			opts.Contents[f.Name] = f.Raw
		}
	}
	return compare.Read(m.Dir, opts)
}
