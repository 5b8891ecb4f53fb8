package load

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A ConstrainedFile is a file of a module that may constrain the release.
type ConstrainedFile struct {
	Name string
	// Required are the version constraints that it sets.
	Required []version.Constraints
}

// TofuFiles lists the .tofu and .tofu.json files of a directory with the engine versions that they require. A file
// that can't be read or parsed has no constraints here; loading the module reports the error. Of the options, only
// those about where files are and how they are read matter.
func TofuFiles(dir string, from Options) []ConstrainedFile {
	wanted := func(e DirEntry) bool { return e.Tofu }
	anyText := func([]byte) bool { return true } // each constraint matters
	return from.constrained(dir, engine.TofuReader().Newest(), wanted, anyText)
}

// BoundedFiles lists the primary .tf and .tf.json files with the engine versions that they require, if some
// constraint has an upper bound, such as "< 1.6": that may fit Terraform only, whose numbers are lower. Otherwise it
// returns nil, because constraints without a bound tell nothing about the product. It reads the files by the grammar
// of e.
func BoundedFiles(dir string, from Options, e engine.Release) []ConstrainedFile {
	wanted := func(entry DirEntry) bool { return !entry.Tofu && entry.Role == source.Primary }
	list := from.constrained(dir, e, wanted, mayBound)
	if !slices.ContainsFunc(list, func(f ConstrainedFile) bool { return engine.AreBounded(f.Required) }) {
		return nil
	}
	return list
}

// constraintText matches what follows required_version in its usual spelling, in native syntax and in JSON.
var constraintText = lazyregexp.New(`^"?\s*[=:]\s*"([^"\\$%]*)"`)

// mayBound reports whether a file may set a version constraint with an upper bound. It only looks at the text, so
// that most files need not be parsed: hardly any has such a constraint. In doubt it returns true.
func mayBound(text []byte) bool {
	for {
		_, rest, isThere := bytes.Cut(text, []byte(requiredVersion))
		if !isThere {
			return false
		}
		found := constraintText().FindSubmatch(rest[:min(len(rest), maxConstraint)])
		if found == nil { // spelt in an unusual way: only the parser can tell
			return true
		}
		c, err := version.NewConstraint(string(found[1]))
		if err != nil || engine.AreBounded([]version.Constraints{c}) {
			return true
		}
		text = rest
	}
}

// maxConstraint is how many bytes after the name mayBound looks at.
const maxConstraint = 200

// constrained lists the wanted configuration files of a directory, in byte order, with their version constraints. To
// save time, it parses only files whose text mentions required_version. Even these it parses only if mayMatter, a
// quick look at the text, returns true for at least one: otherwise the caller has no use for the constraints, and
// Required stays empty.
func (o Options) constrained(dir string, e engine.Release, isWanted func(DirEntry) bool, mayMatter func([]byte) bool) []ConstrainedFile {
	o.MaxFileSize = cmp.Or(o.MaxFileSize, input.MaxFileSize)
	names := o.namesOf(dir, isWanted)
	candidates := make([][]byte, len(names)) // the texts that mention required_version; nil for other files
	parallel.Each(len(names), func(i int) {
		text, isGiven := o.Contents[names[i]]
		if !isGiven {
			text, _ = o.readIn(dir, names[i])
		}
		// Search for required_version from its third letter on: the search stops at each first letter, and q is rare.
		if bytes.Contains(text, []byte("quired_version")) {
			candidates[i] = text
		}
	})
	// List all names, and collect the texts to parse.
	var list []ConstrainedFile
	texts, anyMatters := map[string][]byte{}, false
	for i, name := range names {
		list = append(list, ConstrainedFile{Name: name})
		if candidates[i] != nil {
			texts[name] = candidates[i]
			anyMatters = anyMatters || mayMatter(candidates[i])
		}
	}
	if !anyMatters {
		return list
	}
	// texts are the only files of this module: Absent hides all others.
	opts := Options{From: o.From, Engine: e, Contents: texts, Absent: func(string) bool { return true }}
	m, _, err := Dir(dir, opts)
	if err != nil {
		return list
	}
	for _, f := range m.Files { // each is in list, which has the names of all texts
		i := slices.IndexFunc(list, func(c ConstrainedFile) bool { return c.Name == f.Name })
		list[i].Required = RequiredBy(f)
	}
	return list
}

// readIn reads a file of a directory on the disk, or of Options.From. It keeps a text from the disk in Options.Ahead,
// so that loading needn't read it again.
func (o Options) readIn(dir, name string) ([]byte, error) {
	if o.From != nil {
		return o.From.Read(name, o.MaxFileSize)
	}
	path := filepath.Join(dir, name)
	text, err := o.read(path)
	if err == nil && o.keepsAhead() {
		o.Ahead.Store(path, text)
	}
	return text, err
}

// namesOf lists the names of configuration files in a directory for which isWanted returns true, in byte order.
func (o Options) namesOf(dir string, isWanted func(DirEntry) bool) []string {
	isOther := func(name string) bool {
		entry, ok := classifyName(name)
		return !ok || entry.Status == Ignored || !isWanted(entry)
	}
	return slices.DeleteFunc(o.namesAhead(dir), isOther)
}

const requiredVersion = "required_version"

// RequiredBy returns the version constraints that a file sets with required_version. Only well-formed constants
// count.
func RequiredBy(f *source.File) (list []version.Constraints) {
	for i := range f.Len() {
		if f.TypeOf(i) != "terraform" { // nothing else of a large file is built
			continue
		}
		if a := f.Block(i).Attr(requiredVersion); a != nil {
			text, _ := constant.String(a)
			if c, err := version.NewConstraint(text); err == nil && text != "" {
				list = append(list, c)
			}
		}
	}
	return list
}

// LockName is the name of the file in which init notes which versions of providers
// it chose. https://opentofu.org/docs/language/files/dependency-lock/
const LockName = ".terraform.lock.hcl"

// builtIn is the provider that is a part of the engines. No lock file lists it.
const builtIn = "terraform.io/builtin/terraform"

// providerAddress returns a provider's full source address in lower case: aws becomes
// registry.opentofu.org/hashicorp/aws. name is the provider's local name, which is the default if source is empty. A
// missing host is the registry of engine e.
func providerAddress(name, source string, e engine.Release) string {
	if source == "" && name == "terraform" {
		return builtIn
	}
	parts := strings.Split(cmp.Or(source, name), "/")
	switch len(parts) {
	case 1:
		parts = []string{e.Product.Registry(), "hashicorp", parts[0]}
	case 2:
		parts = append([]string{e.Product.Registry()}, parts...)
	}
	return strings.ToLower(strings.Join(parts, "/"))
}

// sourceIn returns the source that an entry of required_providers sets, if it is constant, and otherwise "".
func sourceIn(a *source.Attr) (address string) {
	pairs, _ := hcl.ExprMap(a.Expr())
	for _, p := range pairs {
		key, diags := limits.Evaluate(p.Key)
		if diags.HasErrors() || key.IsNull() || key.Type() != cty.String || key.AsString() != "source" {
			continue
		}
		if value, ok := constant.String(a.With(p.Value)); ok {
			address = value
		}
	}
	return address
}

// HasDefaultSource reports whether an entry of required_providers names the provider that the engine would use even
// without the entry: for aws, that is hashicorp/aws.
func HasDefaultSource(a *source.Attr) bool {
	e := a.File.Engine
	return providerAddress(a.Name, sourceIn(a), e) == providerAddress(a.Name, "", e)
}

// IsRequirement reports whether an argument is an entry in a required_providers block.
func IsRequirement(a *source.Attr) bool {
	arg, ok := language.ArgOf(a)
	return ok && arg.Kind == language.Requirement
}
