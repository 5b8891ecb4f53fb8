package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// maxSearched is the maximum number of directories that are searched. The folder of an editor
// may be the root of the file system.
const maxSearched = 100_000

// Modules lists the modules with override files in a directory and below, except those that git
// ignores. Unlike check, an editor gives no verdict.
func (n *analyst) Modules(ctx context.Context, dir string) ([]string, error) {
	searched := 0
	s := &search{recursive: true, isOver: func() bool {
		searched++
		return ctx.Err() != nil || searched > maxSearched
	}}
	a := &app{Console: terminal.Silent(n.In, n.Env), chdirs: n.chdirs}
	list := &targetList{base: a.base(), byDir: map[string]*target{}, names: map[string][]string{}}
	err := a.walk(dir, s, list)
	if deep := (*tooDeepError)(nil); errors.As(err, &deep) {
		err = errors.New(deep.fact() + ", so its modules are not reported on")
	}
	var dirs []string
	for _, t := range list.list {
		if hasOverrides(t.dir) {
			dirs = append(dirs, t.dir)
		}
	}
	return dirs, err
}

// hasOverrides reports whether a directory has override files, of any engine.
func hasOverrides(dir string) bool {
	entries, _ := os.ReadDir(dir) // an unreadable directory has none
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return slices.ContainsFunc(load.Classify(names, engine.Default()), func(e load.DirEntry) bool {
		return e.Role == source.Override && e.Status == load.Read
	})
}
