package enginechoice

import (
	"fmt"
	"path"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

// A Choice is the engine for a module, and what chose it.
type Choice struct {
	engine.Release
	From   string   // a flag, a variable or a file, escaped; see IsDefault
	clause string   // the text after From: missing information, and the assumption instead
	Doubts []string // uncertainties, with the remedy
	Passed []string // evidence that decides nothing, and why

	isGuess bool // the source in From doesn't choose an engine
}

// byDefault is the origin of an engine that nothing names.
const byDefault = "default"

// IsDefault reports whether nothing names the engine.
func (c Choice) IsDefault() bool { return c.From == byDefault }

// IsAssumed reports whether no file and no user chooses the engine.
func (c Choice) IsAssumed() bool { return c.IsDefault() || c.isGuess }

// String words the choice for people.
func (c Choice) String() string { return fmt.Sprintf("%s (%s)", c.Release, c.Reason()) }

// Brief words the choice in a few words. For the reason behind an assumption there is String.
func (c Choice) Brief() string {
	switch _, isNewer := c.Baseline(); {
	case isNewer:
		return c.String()
	case c.IsAssumed():
		return fmt.Sprintf("%s (assumed)", c.Release)
	}
	return fmt.Sprintf("%s (by %s)", c.Release, c.From)
}

// Reason explains why the engine was chosen.
func (c Choice) Reason() string {
	words := "by " + c.From + c.clause
	if c.IsDefault() {
		words = "no version file; the newest known"
	}
	if known, isNewer := c.Baseline(); isNewer {
		words += fmt.Sprintf("; newer than every known release, so the rules of %s apply", known)
	}
	return words
}

// An EngineName is a text for engine.Parse, and where it comes from.
type EngineName struct{ Text, From string }

// Parse is the choice of an engine by its name.
func (n EngineName) Parse() (Choice, error) {
	e, err := engine.Parse(n.Text)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w", n.From, err)
	}
	return Choice{Release: e, From: n.From}, nil
}

// Wishes are the user's choices of the engine.
type Wishes struct {
	// Given are names that override files, the strongest first. Those without a text are ignored.
	Given []EngineName
	// Settings returns the engine named by the settings file of a directory; its text is empty
	// without one. It is nil if settings files don't apply.
	Settings func(dir string) (EngineName, error)
}

// IsGiven reports whether the user names the engine, so that files are ignored.
func (w Wishes) IsGiven() bool { return w.given() != EngineName{} }

// given is the strongest of the names that the user gives.
func (w Wishes) given() EngineName {
	for _, n := range w.Given {
		if n.Text != "" {
			return n
		}
	}
	return EngineName{}
}

// Choose reads evidence, the strongest first, until something names an engine.
// docs/engines/README.md lists the order.
func Choose(w Wishes, r Reader) (Choice, error) {
	if n := w.given(); n.Text != "" {
		return n.Parse()
	}
	c := &chooser{Reader: r}
	for _, ask := range []func() error{
		c.byVersionFile,
		c.byManagers,
		func() error {
			if w.Settings == nil {
				return nil
			}
			for _, dir := range c.Dirs {
				n, err := w.Settings(dir)
				if err == nil && n.Text == "" {
					continue
				}
				var chosen Choice
				if err == nil {
					chosen, err = n.Parse()
				}
				c.take(chosen)
				return err
			}
			return nil
		},
		c.byModule,
		c.byRequirement,
	} {
		if err := ask(); err != nil {
			return Choice{}, err
		}
		if c.From != "" {
			return c.Choice, nil
		}
	}
	c.Release, c.From = engine.Default(), byDefault
	return c.Choice, nil
}

// A chooser makes a choice. Its origin is empty until something names an engine.
type chooser struct {
	Reader
	Choice
}

// take adopts a choice, and keeps the doubts found before.
func (c *chooser) take(chosen Choice) {
	c.Release, c.From, c.clause, c.isGuess = chosen.Release, chosen.From, chosen.clause, chosen.isGuess
	c.Doubts = append(c.Doubts, chosen.Doubts...)
}

// byModule chooses the engine by the contents of a module's directory: the registry of the locked
// providers, or else files that only one product reads. Their version constraints choose the
// release.
func (c *chooser) byModule() error {
	product, isLocked := c.lockedBy()
	if isLocked && !product.Newest().ReadsTofuFiles() {
		c.choose(product, load.BoundedFiles(c.Module, c.Loading, product.Newest()))
		return nil
	}
	tofu := load.TofuFiles(c.Module, c.Loading)
	switch {
	case !isLocked && len(tofu) == 0:
		return nil
	case !isLocked:
		product = engine.TofuReader()
		c.From = c.label(c.Dirs[0], tofu[0].Name)
	}
	c.choose(product, tofu)
	return nil
}

// lockedBy is the product whose registry the lock file of the module names.
func (c *chooser) lockedBy() (engine.Product, bool) {
	dir := c.Dirs[0]
	if !c.has(dir, load.LockName) {
		return "", false
	}
	name := c.label(dir, load.LockName)
	text, err := c.read(dir, load.LockName, input.MaxLockSize)
	if err != nil {
		c.noteUnreadable(name, err)
		return "", false
	}
	switch list := sidefiles.LockedBy(text); {
	case len(list) > 1:
		c.Passed = append(c.Passed, fmt.Sprintf("%s names the registries of %s, so it doesn't decide", name, titles(list)))
	case len(list) == 1:
		c.take(Choice{From: name, clause: fmt.Sprintf(", which names %s", list[0].Registry())})
		return list[0], true
	}
	return "", false
}

// choose takes the newest known release of a product that meets the constraints of some
// files.
func (c *chooser) choose(product engine.Product, files []load.ConstrainedFile) {
	required, setBy := constraints(files, diag.Escape)
	release, ok := product.NewestMeeting(required)
	switch {
	case len(required) == 0:
		c.clause += "; the newest known"
	case ok:
		c.clause += "; the newest known release that meets required_version in " + setBy
	default:
		release = product.Newest()
		c.clause += "; the newest known, since none meets required_version in " + setBy
	}
	c.Release = release
}

// constraints are those that files set, and what those that do are called.
func constraints(files []load.ConstrainedFile, called func(name string) string) (required []goversion.Constraints, setBy string) {
	var names []string
	for _, f := range files {
		if required = append(required, f.Required...); len(f.Required) > 0 {
			names = append(names, called(f.Name))
		}
	}
	return required, strings.Join(names, ", ")
}

// byRequirement assumes another product than the default one where only that has releases
// which meet the version constraints of the primary files. A constraint that is open
// upwards decides nothing: modules for several engines have such ones. It stays a guess,
// since releases of the default product may ignore the line.
func (c *chooser) byRequirement() error {
	usual := engine.Default().Product
	other := usual.Other()
	required, setBy := constraints(load.BoundedFiles(c.Module, c.Loading, other.Newest()), func(name string) string {
		return c.label(c.Dirs[0], name)
	})
	if len(required) == 0 {
		return nil
	}
	release, ok := other.NewestMeeting(required)
	if _, isUsual := usual.NewestMeeting(required); ok && !isUsual {
		c.take(Choice{
			Release: release, From: "required_version in " + setBy, isGuess: true,
			clause: fmt.Sprintf(", which no known release of %s meets", usual.Title()),
		})
	}
	return nil
}

// A Tree holds files by their paths, with slashes: those of the disk (repo.Disk), or of a tree of a
// repository, from its root.
type Tree interface {
	// Has reports whether there is a file or a directory, or a link, even a broken one.
	Has(name string) bool
	// Read reads a file that has at most limit bytes. Its error doesn't name the file.
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a path passes through a link out of the repository, so that
	// messages may not quote the file.
	EscapesRepo(name string) bool
}

// A Reader finds the files that may choose the engine of one module. A file is a directory of Dirs
// and a name in it, which may have slashes.
type Reader struct {
	Files Tree
	// Dirs are the directories whose files apply to the module: its own first, then those above it.
	Dirs []string
	// NameOf is how people reach a file, by its path; nil for the path itself.
	NameOf func(path string) string
	// Module is the directory of the module, and Loading are the options by which package load finds
	// its configuration.
	Module  string
	Loading load.Options
}

// InTree reads the files for the module in a directory of a tree, given by its path from the root.
func InTree(files Tree, dir string, loading load.Options) Reader {
	r := Reader{Files: files, Dirs: []string{path.Clean(dir)}, Module: dir, Loading: loading}
	for at := r.Dirs[0]; at != "."; {
		at = path.Dir(at)
		r.Dirs = append(r.Dirs, at)
	}
	return r
}

// has reports whether a file exists, even as a broken link.
func (r Reader) has(dir, name string) bool { return r.Files.Has(path.Join(dir, name)) }

func (r Reader) read(dir, name string, limit int64) ([]byte, error) {
	return r.Files.Read(path.Join(dir, name), limit)
}

// label is the escaped name of a file for people.
func (r Reader) label(dir, name string) string {
	name = path.Join(dir, name)
	if r.NameOf != nil {
		name = r.NameOf(name)
	}
	return diag.Escape(name)
}
