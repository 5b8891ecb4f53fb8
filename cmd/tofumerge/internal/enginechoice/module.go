package enginechoice

import (
	"fmt"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/evidence"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// byModule chooses the engine by what the directory of a module holds: the registry that
// init got the providers from, or else files that only one product reads. Their version
// constraints choose the release.
func (c *chooser) byModule() error {
	product, isLocked := c.lockedBy()
	if isLocked && !product.Newest().ReadsTofuFiles() {
		c.choose(product, nil)
		return nil
	}
	tofu := load.TofuFiles(c.Module())
	switch {
	case !isLocked && len(tofu) == 0:
		return nil
	case !isLocked:
		product = engine.TofuReader()
		c.From = c.Label(c.Dirs()[0], tofu[0].Name)
	}
	c.choose(product, tofu)
	return nil
}

// lockedBy is the product whose registry the lock file of the module names.
func (c *chooser) lockedBy() (engine.Product, bool) {
	dir := c.Dirs()[0]
	if !c.Has(dir, load.LockName) {
		return "", false
	}
	name := c.Label(dir, load.LockName)
	text, err := c.Read(dir, load.LockName, input.MaxLockSize)
	if err != nil {
		c.Passed = append(c.Passed, fmt.Sprintf("can't read %s: %v", name, err))
		return "", false
	}
	switch list := evidence.LockedBy(text); {
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
func (c *chooser) choose(product engine.Product, tofu []load.TofuFile) {
	var required []goversion.Constraints
	var setBy []string
	for _, t := range tofu {
		if required = append(required, t.Required...); len(t.Required) > 0 {
			setBy = append(setBy, diag.Escape(t.Name))
		}
	}
	release, ok := product.NewestMeeting(required)
	switch {
	case len(required) == 0:
		c.clause += "; the newest known"
	case ok:
		c.clause += "; the newest known that meets required_version in " + strings.Join(setBy, ", ")
	default:
		release = product.Newest()
		c.clause += "; the newest known, since none meets required_version in " + strings.Join(setBy, ", ")
	}
	c.Release = release
}
