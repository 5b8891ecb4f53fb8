package enginechoice

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/enginehints"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// A managerFile is a file by which a version manager learns what to install.
type managerFile struct {
	name string // relative to the directory that it applies to
	read func([]byte) ([]enginehints.Tool, error)
}

// managerFiles are the files of version managers of several tools, in the order in which
// they count in one directory. mise reads .tool-versions as well, after its own files.
var managerFiles = []managerFile{
	{".mise.local.toml", enginehints.Mise},
	{"mise.local.toml", enginehints.Mise},
	{".mise.toml", enginehints.Mise},
	{"mise.toml", enginehints.Mise},
	{".config/mise.toml", enginehints.Mise},
	{".tool-versions", func(text []byte) ([]enginehints.Tool, error) { return enginehints.ToolVersions(text), nil }},
}

// VersionFiles are the files that choose the engine for the modules in a directory and
// below, by their paths from there with slashes.
func VersionFiles() []string {
	var names []string
	for _, p := range engine.Products() {
		names = append(names, p.VersionFile())
	}
	for _, m := range managerFiles {
		names = append(names, m.name)
	}
	return names
}

// Governed is the directory for which a file chooses the engine, if it does. That is not always the
// file's own directory; if both are possible, it is the outer one.
func Governed(file string) (dir string, ok bool) {
	for _, name := range VersionFiles() {
		if !strings.HasSuffix("/"+filepath.ToSlash(file), "/"+name) {
			continue
		}
		at := file
		for range strings.Count(name, "/") + 1 {
			at = filepath.Dir(at)
		}
		if !ok || len(at) < len(dir) {
			dir, ok = at, true
		}
	}
	return dir, ok
}

// byManagers chooses the engine by the nearest file of a version manager that names one. A file
// that names several leaves the choice to other evidence: farther files would be read by the
// version manager as well, and don't revoke the choice of a nearer one.
func (c *chooser) byManagers() error {
	for _, dir := range c.Dirs {
		for _, m := range managerFiles {
			if c.has(dir, m.name) && c.byManager(dir, m) {
				return nil
			}
		}
	}
	return nil
}

// byManager reads a file of a version manager, and reports whether it ends the search.
func (c *chooser) byManager(dir string, m managerFile) (isLast bool) {
	name := c.label(dir, m.name)
	var tools []enginehints.Tool
	text, err := c.read(dir, m.name, input.MaxVersionSize)
	if err == nil {
		tools, err = m.read(text)
	}
	switch {
	case err != nil:
		c.noteUnreadable(name, err)
	case len(tools) > 1:
		c.Passed = append(c.Passed, fmt.Sprintf("%s names %s, so it doesn't decide", name, titles(enginehints.Products(tools))))
	case len(tools) == 1:
		release, clause, isCertain := tools[0].Release()
		c.take(Choice{Release: release, From: name, clause: clause})
		if !isCertain {
			c.Doubts = append(c.Doubts, fmt.Sprintf("%s names a release of %s that is too old to be known, so the rules of %s apply. To name another one, use --engine.", name, tools[0].Product.Title(), release))
		}
	}
	return len(tools) > 0
}

// noteUnreadable notes that a file which may choose the engine can't be read or understood.
func (c *chooser) noteUnreadable(name string, err error) {
	c.Doubts = append(c.Doubts, fmt.Sprintf("%s doesn't choose the engine: %v. Fix it, or name the engine with --engine.", name, err))
}

func titles(products []engine.Product) string {
	var list []string
	for _, p := range products {
		list = append(list, p.Title())
	}
	return strings.Join(list, " and ")
}
