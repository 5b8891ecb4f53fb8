package enginechoice

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
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

// A managerFile is a file by which a version manager learns what to install.
type managerFile struct {
	name string // relative to the directory that it applies to
	read func([]byte) ([]sidefiles.Tool, error)
}

// managerFiles are the files of version managers of several tools, in the order in which
// they count in one directory. mise reads .tool-versions as well, after its own files.
var managerFiles = []managerFile{
	{".mise.local.toml", sidefiles.Mise},
	{"mise.local.toml", sidefiles.Mise},
	{".mise.toml", sidefiles.Mise},
	{"mise.toml", sidefiles.Mise},
	{".config/mise.toml", sidefiles.Mise},
	{".tool-versions", func(text []byte) ([]sidefiles.Tool, error) { return sidefiles.ToolVersions(text), nil }},
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
	var tools []sidefiles.Tool
	text, err := c.read(dir, m.name, input.MaxVersionSize)
	if err == nil {
		tools, err = m.read(text)
	}
	switch {
	case err != nil:
		c.noteUnreadable(name, err)
	case len(tools) > 1:
		c.Passed = append(c.Passed, fmt.Sprintf("%s names %s, so it doesn't decide", name, titles(sidefiles.Products(tools))))
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

// Version files hold nothing but the release of one product.

// A VersionFileError means that a version file names no engine. The fault is in a
// directory, not in the arguments.
type VersionFileError struct {
	error
	Dir, Name string
}

func (e *VersionFileError) Unwrap() error { return e.error }

// byVersionFile chooses the engine by the nearest version file.
func (c *chooser) byVersionFile() error {
	for _, dir := range c.Dirs {
		for _, product := range engine.Products() {
			name := product.VersionFile()
			if !c.has(dir, name) {
				continue // reading the directory reports why it is not accessible
			}
			chosen, err := versionIn(c.Reader, product, dir)
			if err != nil {
				return &VersionFileError{err, dir, name}
			}
			c.take(chosen)
			return nil
		}
	}
	return nil
}

// versionIn reads the version file of a product.
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

// maxVersion is how many bytes a version, or a pattern of versions, has at most.
const maxVersion = 200

// readVersion reads a version file: a version, latest or latest:REGEX. If the choice depends on
// more than the file, it is in doubt, and the newest known release is taken.
func readVersion(product engine.Product, name string, text []byte) (Choice, error) {
	wanted := firstWord(text)
	example := product.Newest().Version
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
			return Choice{}, fmt.Errorf(
				"%s contains %s, %w; name a release with --engine %s@VERSION", name, diag.Escape(wanted), err, product,
			)
		}
		return Choice{Release: e, From: name}, nil
	case wanted != "latest" && !isVersion(wanted):
		return Choice{}, fmt.Errorf("%s: %q isn't a version of %s; write a version, such as %s, or name the engine with --engine", name, wanted, product.Title(), example)
	}
	e, err := product.Release(wanted)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w; name another one with --engine", name, err)
	}
	return Choice{Release: e, From: name}, nil
}

func isVersion(text string) bool {
	_, err := goversion.NewVersion(text)
	return err == nil
}

// firstWord is the first word of a text, but for comments and the mark that some
// editors put before everything else.
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

// newestLike is the newest known release whose version a pattern matches.
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
