package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-version"
)

// A Product is one of the programs that read this configuration language.
type Product string

// The products.
const (
	OpenTofu  Product = "opentofu"
	Terraform Product = "terraform"
)

// Products are all of them, the default one first.
var Products = []Product{OpenTofu, Terraform}

// Title is a product's name in a sentence.
func (p Product) Title() string {
	if p == OpenTofu {
		return "OpenTofu"
	}
	return "Terraform"
}

// Other is the product that reads the same language.
func (p Product) Other() Product {
	if p == OpenTofu {
		return Terraform
	}
	return OpenTofu
}

// An Engine is one release of a product. It decides which files are read,
// which blocks and arguments exist, what an override does and how a string in
// JSON is read.
type Release struct {
	Product Product
	Version *version.Version
}

// observed are the releases whose behaviour is known, the oldest first: of each
// minor release the newest one that was run. Between the releases of one minor no
// difference was found that matters here. Most runs are about one product, and
// reading the versions of the other one would take longer than a small module.
var observed = map[Product]func() []*version.Version{
	OpenTofu:  versions("1.6.3", "1.7.10", "1.8.11", "1.9.4", "1.10.10", "1.11.14", "1.12.6"),
	Terraform: versions("1.5.7", "1.6.6", "1.7.5", "1.8.5", "1.9.8", "1.10.5", "1.11.4", "1.12.2", "1.13.5", "1.14.9", "1.15.9", "1.16.0-rc2"),
}

func versions(texts ...string) func() []*version.Version {
	return sync.OnceValue(func() []*version.Version {
		var list []*version.Version
		for _, text := range texts {
			list = append(list, version.Must(version.NewVersion(text)))
		}
		return list
	})
}

// releases are the known ones of a product, the oldest first.
func (p Product) releases() []*version.Version { return observed[p]() }

// Observed lists the engines whose behaviour is known, one for each minor
// release, the products one after the other and the oldest release first.
func Observed() []Release {
	var list []Release
	for _, p := range Products {
		for _, v := range p.releases() {
			list = append(list, Release{p, v})
		}
	}
	return list
}

// DefaultEngine is the newest OpenTofu release that is known.
func Default() Release { return OpenTofu.Newest() }

// Newest is the newest release that is known and meant for everybody.
func (p Product) Newest() Release {
	for _, v := range slices.Backward(p.releases()) {
		if v.Prerelease() == "" {
			return Release{p, v}
		}
	}
	panic("no release of " + p + " is known")
}

// ParseEngine reads NAME or NAME@VERSION. Without a version, or with "latest",
// the newest known release is meant; a version without a patch number means the
// newest known one of that minor release, a lone number that of the major one.
// Releases older than all that are known are an error; newer ones behave as Follows
// says.
func Parse(text string) (Release, error) {
	name, wanted, hasVersion := strings.Cut(text, "@")
	p := Product(name)
	switch {
	case !slices.Contains(Products, p):
		return Release{}, fmt.Errorf("there is no engine %q; write opentofu or terraform, perhaps with a version, such as %s", name, Default())
	case !hasVersion:
		return p.Newest(), nil
	}
	return p.Release(wanted)
}

// Release is the release of a product that a version names, in the words of
// ParseEngine.
func (p Product) Release(wanted string) (Release, error) {
	if wanted == "latest" {
		return p.Newest(), nil
	}
	v, err := version.NewVersion(wanted)
	if err != nil {
		return Release{}, fmt.Errorf("%q is no version of %s; write for example %s", wanted, p.Title(), p.Newest())
	}
	if newest := p.Newest(); !strings.Contains(wanted, ".") && v.Segments()[0] == newest.Version.Segments()[0] {
		return newest, nil
	}
	if oldest := p.releases()[0]; minor(v) < minor(oldest) {
		return Release{}, fmt.Errorf("%s %s is not known, since it is too old; the oldest known release is %s", p.Title(), v, minorName(oldest))
	}
	if strings.Count(wanted, ".") < 2 {
		for _, known := range p.releases() {
			if minor(known) == minor(v) {
				v = known
			}
		}
	}
	return Release{p, v}, nil
}

// minor numbers minor releases in their order.
func minor(v *version.Version) int {
	s := v.Segments()
	return s[0]*1_000_000 + s[1]
}

func minorName(v *version.Version) string {
	s := v.Segments()
	return fmt.Sprintf("%d.%d", s[0], s[1])
}

// String gives the engine as NAME@VERSION.
func (e Release) String() string {
	return fmt.Sprintf("%s@%s", e.Product, e.Version)
}

// Minor names the engine's minor release without its product, such as "1.12".
func (e Release) Minor() string { return minorName(e.Version) }

// core is the engine's version without what makes it a prerelease, which counts
// as the release that it leads to.
func (e Release) Core() *version.Version {
	if e.Version.Prerelease() == "" && e.Version.Metadata() == "" {
		return e.Version // Core would read it anew
	}
	return e.Version.Core()
}

// Follows is the known release by whose rules an engine is taken to go: the one
// of the same minor release, else the newest. The second result tells that the
// engine is newer than that one, so that nobody has looked.
func (e Release) Follows() (known Release, isNewer bool) {
	all := e.Product.releases()
	known = Release{e.Product, all[len(all)-1]}
	own := minor(e.Version)
	for _, v := range all {
		if minor(v) == own {
			known.Version = v
		}
	}
	return known, e.Core().GreaterThan(known.Core())
}

var tofuFiles = Releases{OpenTofu: ">= 1.8"}

// TofuFiles are the releases that know the extensions .tofu and .tofu.json.
func TofuFiles() Releases { return tofuFiles }

// ReadsTofuFiles tells whether the engine knows the extensions .tofu and
// .tofu.json.
func (e Release) ReadsTofuFiles() bool { return tofuFiles.Has(e) }
