package engine

import "slices"

// A Product is one of the programs that read this configuration language, by the name
// that users give it.
type Product string

// The products that facts of the language are stated for.
const (
	OpenTofu  Product = "opentofu"
	Terraform Product = "terraform"
)

// Releases is the set of releases in which a fact of the language holds: of each product those that
// meet a version constraint, none if it is empty. The zero value and nil mean all releases of all
// products.
type Releases struct {
	OpenTofu, Terraform string
}

// IsAll reports whether the set holds every release, as nil and the zero value do.
func (s *Releases) IsAll() bool { return s == nil || *s == Releases{} }

// SinceSymbols are the releases that have symbol libraries.
var SinceSymbols = Releases{OpenTofu: ">= 1.13"}

// unicode17 are the releases in which names consist of the letters and digits of Unicode 17. In
// others it is Unicode 9.
var unicode17 = Releases{OpenTofu: ">= 1.13"}

// A productRow is everything that is known of a product apart from the language.
type productRow struct {
	name  Product
	title string // in a sentence
	// command is the name of the program.
	command string
	// observed are the releases that were run, the oldest first: of each minor
	// release the newest one. Between the releases of one minor no difference was
	// found that matters here.
	observed []Version
	// constraint selects the product's constraint from a set of releases. A fork that keeps the
	// version numbers of another product may share its constraints.
	constraint func(Releases) string
	// tofuFiles is the constraint of the releases that read .tofu and .tofu.json.
	tofuFiles string
	// registry is the host of source addresses that have none.
	registry string
	// versionFile is the name of the file that names a release for version managers.
	versionFile string
}

// TablesDate is the day on which the newest of the observed releases came out. What engines
// do since then may not be in the tables.
const TablesDate = "2026-09-09"

// products holds the row of each product, the default one first. If a directory contains the
// version files of several, the first in this order wins.
var products = []productRow{
	{
		name:        OpenTofu,
		title:       "OpenTofu",
		command:     "tofu",
		observed:    []Version{"1.6.3", "1.7.10", "1.8.11", "1.9.4", "1.10.10", "1.11.14", "1.12.6", "1.13.0-beta1"},
		constraint:  func(s Releases) string { return s.OpenTofu },
		tofuFiles:   ">= 1.8",
		registry:    "registry.opentofu.org",
		versionFile: ".opentofu-version",
	},
	{
		name:    Terraform,
		title:   "Terraform",
		command: "terraform",
		observed: []Version{"1.5.7", "1.6.6", "1.7.5", "1.8.5", "1.9.8", "1.10.5", "1.11.4", "1.12.2", "1.13.5",
			"1.14.9", "1.15.9", "1.16.2"},
		constraint:  func(s Releases) string { return s.Terraform },
		registry:    "registry.terraform.io",
		versionFile: ".terraform-version",
	},
}

// Products lists the products, the default one first.
func Products() (list []Product) {
	for i := range products {
		list = append(list, products[i].name)
	}
	return list
}

// row returns the table row of the product. It panics if there is none.
func (p Product) row() *productRow {
	for i := range products {
		if products[i].name == p {
			return &products[i]
		}
	}
	panic("no product " + p)
}

// Title returns the product's name for messages, such as "OpenTofu".
func (p Product) Title() string { return p.row().title }

// Command returns the name of the product's program, such as "tofu".
func (p Product) Command() string { return p.row().command }

// Registry returns the host of the product's default registry, which source addresses without a host refer to.
func (p Product) Registry() string { return p.row().registry }

// VersionFile returns the name of the file that tells the product's version managers which release a directory needs.
func (p Product) VersionFile() string { return p.row().versionFile }

// Other returns the first of the other products. It is the one to compare this product with.
func (p Product) Other() Product {
	all := Products()
	return all[slices.IndexFunc(all, func(o Product) bool { return o != p })]
}
