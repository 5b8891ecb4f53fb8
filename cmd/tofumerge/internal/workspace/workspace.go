package workspace

import (
	"path/filepath"
	"sync"
	"sync/atomic"

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
