package load

import (
	"fmt"

	"github.com/hashicorp/go-version"
)

// A Product is one of the programs that read this configuration language.
type Product string

// OpenTofu is the product whose releases are known.
const OpenTofu Product = "opentofu"

// An Engine is one release of a product. It decides which files are read and
// which blocks and arguments exist.
type Engine struct {
	Product Product
	Version *version.Version
}

// DefaultEngine is the newest OpenTofu release that the rules were observed on.
func DefaultEngine() Engine {
	return Engine{Product: OpenTofu, Version: version.Must(version.NewVersion("1.12.6"))}
}

// String gives the engine as NAME@VERSION.
func (e Engine) String() string {
	return fmt.Sprintf("%s@%s", e.Product, e.Version)
}

var tofuFiles = Since("1.8")

// ReadsTofuFiles tells whether the engine knows the extensions .tofu and
// .tofu.json, which OpenTofu does since 1.8.
func (e Engine) ReadsTofuFiles() bool {
	return tofuFiles.Has(e)
}

// Engines is the set of releases in which a fact of the language holds. The
// zero value means all of them.
type Engines struct {
	product Product
	min     *version.Version
}

// Since is the set of OpenTofu releases from v on.
func Since(v string) Engines {
	return Engines{product: OpenTofu, min: version.Must(version.NewVersion(v))}
}

// AreAll tells whether the set holds every release.
func (s Engines) AreAll() bool { return s.min == nil }

// Has tells whether e is in the set.
func (s Engines) Has(e Engine) bool {
	return s.min == nil || e.Product == s.product && e.Version.Core().GreaterThanOrEqual(s.min)
}

// String words the set for people: "all releases", "OpenTofu 1.12 and later".
func (s Engines) String() string {
	if s.min == nil {
		return "all releases"
	}
	return fmt.Sprintf("OpenTofu %s and later", s.min.Original())
}
