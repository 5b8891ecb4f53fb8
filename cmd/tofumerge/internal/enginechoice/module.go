package enginechoice

import (
	"fmt"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/enginehints"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

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
	switch list := enginehints.LockedBy(text); {
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
