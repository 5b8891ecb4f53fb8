// Package enginechoice decides which release of which engine is followed for a module.
//
// From the user's wishes and a Reader it makes a Choice, with the reason. A Reader finds files
// where the module is: on the disk, in an editor that has unsaved texts of them, or in a tree of a
// repository. It looks for the same files in the same order everywhere, so a module has the same
// engine wherever it is read.
//
// A version file is written to choose a release, so one that names none is an error. Other files
// are for other programs: one that can't be read decides nothing, and Choice.Doubts
// or Choice.Passed reports it. The package prints nothing and runs no program.
package enginechoice

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

// A Choice is the engine for a module, with what chose it.
type Choice struct {
	engine.Release
	From   string   // the flag, variable or file that chose it, escaped; see IsDefault
	clause string   // the text after From: missing information, and the assumption instead
	Doubts []string // uncertainties, with the remedy
	Passed []string // evidence that decides nothing, and why

	isInferred bool // From is only evidence for the engine, such as a version constraint, but doesn't name it
}

// byDefault is the From of an engine that nothing names.
const byDefault = "default"

// IsDefault reports whether nothing names an engine, or is evidence for one.
func (c Choice) IsDefault() bool { return c.From == byDefault }

// IsAssumed reports whether the engine is an assumption: no file and no user names it.
func (c Choice) IsAssumed() bool { return c.IsDefault() || c.isInferred }

// String returns the release and the reason, such as "opentofu@1.12.6 (by --engine)".
func (c Choice) String() string { return fmt.Sprintf("%s (%s)", c.Release, c.Reason()) }

// Brief is String with a shorter reason: only "by" and what chose the engine, or "assumed". For a release newer than
// all known ones it returns String, because the reason then names the rules that apply.
func (c Choice) Brief() string {
	if _, isNewer := c.Baseline(); isNewer {
		return c.String()
	}
	if c.IsAssumed() {
		return fmt.Sprintf("%s (assumed)", c.Release)
	}
	return fmt.Sprintf("%s (by %s)", c.Release, c.From)
}

// Reason explains why the engine was chosen, and which rules apply if its own aren't known.
func (c Choice) Reason() string {
	// What chose the engine, and then whether its own rules are known.
	words := "by " + c.From + c.clause
	if c.IsDefault() {
		words = "no version file; the newest known"
	}
	switch known, isNewer := c.Baseline(); {
	case isNewer:
		words += fmt.Sprintf("; newer than every known release, so the rules of %s apply", known)
	case known.IsPrerelease():
		words += "; a prerelease"
	}
	return words
}

// Uncertainty explains why the engine may differ from the rules that tofumerge follows, which are those of
// c.Baseline(), a known release: the engine is newer than all known releases, or a prerelease. It returns "" if the
// baseline is final and has the same minor version, because such releases have the same rules.
func (c Choice) Uncertainty() string {
	known, isNewer := c.Baseline()
	switch {
	case known.Minor() == c.Minor() && !known.IsPrerelease():
		return ""
	case isNewer:
		return fmt.Sprintf("tofumerge doesn't know %s (%s) yet and follows %s", c.Release, c.From, known)
	}
	return fmt.Sprintf("%s (%s) is a prerelease, and the release may differ from it", c.Release, c.From)
}

// An EngineName is the name of an engine as a user writes it, and where it comes from, for messages.
type EngineName struct{ Text, From string }

// Parse returns the choice of the named engine, or an error if the text names none.
func (n EngineName) Parse() (Choice, error) {
	e, err := engine.Parse(n.Text)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w", n.From, err)
	}
	return Choice{Release: e, From: n.From}, nil
}

// Wishes are the user's choices of the engine.
type Wishes struct {
	// Given lists names that outrank files, the strongest first. Empty ones are ignored.
	Given []EngineName
	// Settings returns the engine named by the settings file of a directory; its text is empty
	// without one. It is nil if settings files don't apply.
	Settings func(dir string) (EngineName, error)
}

// IsGiven reports whether the user names the engine by a flag or a variable, so that files don't matter.
func (w Wishes) IsGiven() bool { return w.given() != EngineName{} }

// given returns the strongest name that isn't empty; the zero EngineName if there is none.
func (w Wishes) given() EngineName {
	for _, n := range w.Given {
		if n.Text != "" {
			return n
		}
	}
	return EngineName{}
}

// Choose looks at the evidence for an engine, the strongest first, until something decides; docs/engines/README.md
// lists the order. If nothing does, it chooses the default engine. Invalid evidence, such as a version file without a
// version, is an error, because weaker evidence must not decide in its place.
func Choose(w Wishes, r Reader) (Choice, error) {
	// An engine that the user names comes first.
	if n := w.given(); n.Text != "" {
		return n.Parse()
	}
	c := &chooser{Reader: r}
	bySettings := func() error { return c.bySettings(w.Settings) }
	for _, decide := range []func() error{c.byVersionFile, c.byVersionManagers, bySettings, c.byModule, c.byRequirement} {
		if err := decide(); err != nil {
			return Choice{}, err
		}
		if c.From != "" { // it has decided
			return c.Choice, nil
		}
	}
	c.Release, c.From = engine.Default(), byDefault
	return c.Choice, nil
}

// A chooser builds a choice. Its From is empty until something decides.
type chooser struct {
	Reader
	Choice
}

// bySettings chooses the engine that the nearest settings file names. settings is Wishes.Settings, which may be nil.
func (c *chooser) bySettings(settings func(dir string) (EngineName, error)) error {
	if settings == nil {
		return nil
	}
	for _, dir := range c.Dirs {
		n, err := settings(dir)
		if err != nil {
			return err
		}
		if n.Text == "" {
			continue // this directory has no settings file that names an engine
		}
		chosen, err := n.Parse()
		if err != nil {
			return err
		}
		c.adopt(chosen)
		return nil
	}
	return nil
}

// adopt sets the choice, and adds its doubts to those found so far.
func (c *chooser) adopt(chosen Choice) {
	c.Release, c.From, c.clause, c.isInferred = chosen.Release, chosen.From, chosen.clause, chosen.isInferred
	c.Doubts = append(c.Doubts, chosen.Doubts...)
}

// byModule chooses the engine by the files of the module. The registry in the lock file decides on the product, or
// else a .tofu file does; version constraints decide on the release.
func (c *chooser) byModule() error {
	product, isLocked := c.productOfLock()
	// Terraform ignores .tofu files. The constraints in .tf files count if one has an upper bound, such as "< 1.6".
	if isLocked && !product.Newest().ReadsTofuFiles() {
		c.chooseRelease(product, load.BoundedFiles(c.Module, c.Loading, product.Newest()))
		return nil
	}
	tofu := load.TofuFiles(c.Module, c.Loading)
	if !isLocked {
		if len(tofu) == 0 {
			return nil // nothing decides on the product
		}
		product = engine.TofuReader()
		c.From = c.label(c.Dirs[0], tofu[0].Name)
	}
	c.chooseRelease(product, tofu)
	return nil
}

// productOfLock returns the product whose registry the module's lock file names, and adopts a choice by that file,
// without a release. It returns false if there is no such file, or if it names no known registry or several.
func (c *chooser) productOfLock() (engine.Product, bool) {
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
	// Providers from the registries of both products decide nothing.
	switch list := sidefiles.LockedBy(text); {
	case len(list) > 1:
		c.Passed = append(c.Passed, fmt.Sprintf("%s names the registries of %s, so it doesn't decide", name, titles(list)))
	case len(list) == 1:
		c.adopt(Choice{From: name, clause: fmt.Sprintf(", which names %s", list[0].Registry())})
		return list[0], true
	}
	return "", false
}

// chooseRelease sets Release to the newest known release of a product that meets the version constraints of some
// files. If none meets them, it takes the newest one. It adds to clause, the explanation, which of these applied.
func (c *chooser) chooseRelease(product engine.Product, files []load.ConstrainedFile) {
	// setBy names the files that set the constraints.
	required, setBy := constraints(files, diag.Escape)
	release, met := product.Newest(), product.Meeting(required)
	switch {
	case len(required) == 0:
		c.clause += "; the newest known"
	case len(met) > 0:
		release = met[0]
		c.clause += "; the newest known release that meets required_version in " + setBy
	default:
		c.clause += "; the newest known, since none meets required_version in " + setBy
	}
	c.Release = release
}

// constraints returns all version constraints in files, and the names of the files that have any, joined for
// messages. label turns the name of a file into that for messages.
func constraints(files []load.ConstrainedFile, label func(name string) string) (required []goversion.Constraints, setBy string) {
	var names []string
	for _, f := range files {
		if required = append(required, f.Required...); len(f.Required) > 0 {
			names = append(names, label(f.Name))
		}
	}
	return required, strings.Join(names, ", ")
}

// byRequirement assumes the product that isn't the default one, if only that has releases that meet the version
// constraints of the primary files. Only constraints with an upper bound count: modules for both products contain
// others, such as ">= 1.0". The choice is only inferred: required_version names no product, and OpenTofu 1.12 and
// later ignore it in .tf files.
func (c *chooser) byRequirement() error {
	usual := engine.Default().Product
	other := usual.Other()
	// The files are read as other would read them, because the question is whether they are for it.
	required, setBy := constraints(load.BoundedFiles(c.Module, c.Loading, other.Newest()), func(name string) string {
		return c.label(c.Dirs[0], name)
	})
	if len(required) == 0 {
		return nil
	}
	if met := other.Meeting(required); len(met) > 0 && len(usual.Meeting(required)) == 0 {
		c.adopt(Choice{
			Release: met[0], From: "required_version in " + setBy, isInferred: true,
			clause: fmt.Sprintf(", which no known release of %s meets", usual.Title()),
		})
	}
	return nil
}

// A Tree reads files by their paths, with slashes: those of the disk (repo.Disk), or those of a tree of a
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
// and a name in it.
type Reader struct {
	Files Tree
	// Dirs are the directories whose files apply to the module: its own first, then those above it.
	Dirs []string
	// NameOf, if set, returns how messages name a file, given its path.
	NameOf func(path string) string
	// Module is the directory of the module. With Loading, package load finds its configuration.
	Module  string
	Loading load.Options
}

// InTree returns a reader for the module in a directory of a tree, such as a revision. dir is its path from the root
// of the tree.
func InTree(files Tree, dir string, loading load.Options) Reader {
	r := Reader{Files: files, Dirs: []string{path.Clean(dir)}, Module: dir, Loading: loading}
	for at := r.Dirs[0]; at != "."; {
		at = path.Dir(at)
		r.Dirs = append(r.Dirs, at)
	}
	return r
}

// has reports whether a directory has an entry with this name, even a broken link.
func (r Reader) has(dir, name string) bool { return r.Files.Has(path.Join(dir, name)) }

// read reads a file of at most limit bytes in a directory.
func (r Reader) read(dir, name string, limit int64) ([]byte, error) {
	return r.Files.Read(path.Join(dir, name), limit)
}

// label returns the name of a file for messages, escaped.
func (r Reader) label(dir, name string) string {
	name = path.Join(dir, name)
	if r.NameOf != nil {
		name = r.NameOf(name)
	}
	return diag.Escape(name)
}

// toolVersions is the file in which asdf and mise find what to install.
const toolVersions = ".tool-versions"

// VersionFiles returns the names of the files that choose the engine for the modules in their directory and
// below.
func VersionFiles() (names []string) {
	for _, p := range engine.Products() {
		names = append(names, p.VersionFile())
	}
	return append(names, toolVersions)
}

// byVersionManagers chooses the engine by the nearest .tool-versions file that names one. If the file names both
// products, other evidence must decide. Files farther away are then not read, although a version manager would read
// them: they don't undo what the nearer one names. The error is always nil: an unreadable file only adds a doubt.
func (c *chooser) byVersionManagers() error {
	for _, dir := range c.Dirs {
		if c.has(dir, toolVersions) && c.byManagerFile(dir) {
			break // this file names an engine, or both
		}
	}
	return nil
}

// byManagerFile reads the .tool-versions file in a directory, and adopts the engine if the file names exactly one.
// namesAny is true if the file names one or both, so it is true without a choice, too, if it names both.
func (c *chooser) byManagerFile(dir string) (namesAny bool) {
	name := c.label(dir, toolVersions)
	text, err := c.read(dir, toolVersions, input.MaxVersionSize)
	if err != nil {
		c.noteUnreadable(name, err)
		return false
	}
	tools := sidefiles.ToolVersions(text)
	switch {
	case len(tools) > 1:
		c.Passed = append(c.Passed, fmt.Sprintf("%s names %s, so it doesn't decide", name, titles(sidefiles.Products(tools))))
	case len(tools) == 1:
		release, clause, isCertain := tools[0].Release()
		c.adopt(Choice{Release: release, From: name, clause: clause})
		if !isCertain {
			c.Doubts = append(c.Doubts, fmt.Sprintf("%s names a release of %s that is too old to be known, so the rules of %s apply. To name another one, use --engine.", name, tools[0].Product.Title(), release))
		}
	}
	return len(tools) > 0
}

// noteUnreadable adds the doubt that a file can't be read which may choose the engine.
func (c *chooser) noteUnreadable(name string, err error) {
	c.Doubts = append(c.Doubts, fmt.Sprintf("%s doesn't choose the engine: %v. Fix it, or name the engine with --engine.", name, err))
}

// titles joins the names of products for people: "OpenTofu and Terraform".
func titles(products []engine.Product) string {
	var list []string
	for _, p := range products {
		list = append(list, p.Title())
	}
	return strings.Join(list, " and ")
}

// Version files hold nothing but the release of one product.

// A VersionFileError is the error about a version file that names no engine. It isn't about the arguments of the run,
// which are right.
type VersionFileError struct {
	error
	Dir, Name string
}

// Unwrap returns the error itself, for package errors.
func (e *VersionFileError) Unwrap() error { return e.error }

// byVersionFile chooses the engine by the nearest version file, such as .opentofu-version.
func (c *chooser) byVersionFile() error {
	for _, dir := range c.Dirs {
		for _, product := range engine.Products() {
			name := product.VersionFile()
			if !c.has(dir, name) {
				continue // if the directory can't be read, loading the module reports why
			}
			chosen, err := versionIn(c.Reader, product, dir)
			if err != nil {
				return &VersionFileError{err, dir, name}
			}
			c.adopt(chosen)
			return nil
		}
	}
	return nil
}

// versionIn reads the version file of a product in a directory. If the file is a link out of the repository, the
// error doesn't quote it, because the target may be private.
func versionIn(r Reader, product engine.Product, dir string) (Choice, error) {
	name := product.VersionFile()
	label := r.label(dir, name)
	text, err := r.read(dir, name, input.MaxVersionSize)
	if err != nil {
		return Choice{}, fmt.Errorf("can't read %s: %w; to do without it, name the engine with --engine", label, err)
	}
	chosen, err := readVersion(product, label, text)
	if err != nil && r.Files.EscapesRepo(path.Join(dir, name)) {
		err = fmt.Errorf("%s names no known version. %s To do without it, name the engine with --engine", label, load.NotQuoted)
	}
	return chosen, err
}

// maxVersion is the maximum length in bytes of a version, or of a pattern of versions.
const maxVersion = 200

// readVersion reads the text of a version file: a version, "latest" or "latest:REGEX". The words latest-allowed and
// min-required make version managers look at the module as well; for these it returns the newest known release, with
// a doubt. name is that of the file in messages.
func readVersion(product engine.Product, name string, text []byte) (Choice, error) {
	wanted := firstWord(text)
	example := product.Newest().Version
	_, notVersion := goversion.NewVersion(wanted) // nil for a version
	switch pattern, isPattern := strings.CutPrefix(wanted, "latest:"); {
	case len(wanted) > maxVersion:
		return Choice{}, fmt.Errorf("%s: its first word has %d bytes and isn't a version; write a version, such as %s, or name the engine with --engine", name, len(wanted), example)
	case wanted == "":
		return Choice{}, fmt.Errorf("%s contains no version; write one, such as %s", name, example)
	case wanted == "latest-allowed", wanted == "min-required":
		doubt := fmt.Sprintf("%s contains %s, which doesn't name a release, so the rules of %s apply. To name one, use --engine %s@VERSION.", name, wanted, product.Newest(), product)
		return Choice{Release: product.Newest(), From: name, Doubts: []string{doubt}}, nil
	case isPattern:
		e, err := newestLike(product, pattern)
		if err != nil {
			return Choice{}, fmt.Errorf("%s contains %s, %w; name a release with --engine %s@VERSION", name, diag.Escape(wanted), err, product)
		}
		return Choice{Release: e, From: name}, nil
	case wanted != "latest" && notVersion != nil:
		return Choice{}, fmt.Errorf("%s: %q isn't a version of %s; write a version, such as %s, or name the engine with --engine", name, wanted, product.Title(), example)
	}
	// A version, or the word latest.
	e, err := product.Release(wanted)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w; name another one with --engine", name, err)
	}
	return Choice{Release: e, From: name}, nil
}

// firstWord returns the first word of a text outside of comments, without a byte order mark; "" if there is none.
func firstWord(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if words := strings.Fields(string(line)); len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// newestLike returns the newest known release of a product whose version matches a regular expression.
func newestLike(product engine.Product, pattern string) (engine.Release, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return engine.Release{}, errors.New("which isn't a regular expression")
	}
	for _, e := range slices.Backward(product.Observed()) {
		if re.MatchString(string(e.Version)) {
			return e, nil
		}
	}
	return engine.Release{}, errors.New("which no known release matches")
}
