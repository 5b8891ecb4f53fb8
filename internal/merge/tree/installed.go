package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/modulesource"
)

// The modules that init installed, from its manifest.

// DataDir is the directory that init keeps modules in, beside the root module.
const DataDir = ".terraform"

// installation is what init installed for a root module.
type installation struct {
	root  string
	byKey map[string]record
}

// A record is one module of the manifest.
type record struct {
	Key     string // the names of the calls to it, joined by dots
	Source  string
	Version string
	Dir     string // as seen from the root module
}

// ReadInstalled reads the manifest for a root module; it is empty without one.
func ReadInstalled(root, dataDir string) (*installation, error) {
	list := &installation{root: root, byKey: map[string]record{}}
	name := filepath.Join(dataDir, "modules", "modules.json")
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	text, err := input.Read(name, input.MaxLockSize)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	var manifest struct{ Modules []record }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		return list, fmt.Errorf("can't read %s: %w", filepath.ToSlash(filepath.Join(dataDir, "modules", "modules.json")), manifestError(err))
	}
	for _, r := range manifest.Modules {
		list.byKey[r.Key] = r
	}
	return list, nil
}

// manifestError words an error without quoting the file.
func manifestError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return errors.New("it is not the JSON that init writes")
	}
	return input.StripPath(err)
}

// A lack is why an installed module can't be followed.
type lack int

const (
	lacksNothing lack = iota
	notInstalled
	otherSource
	otherVersion
)

// find returns the directory of a call with a source that is not local. An empty constraint
// takes every version.
func (list *installation) find(path []string, source, constraint string) (dir string, why lack) {
	r, known := list.byKey[strings.Join(path, ".")]
	switch {
	case !known || r.Dir == "":
		return "", notInstalled
	case !isSameSource(r.Source, source):
		return "", otherSource
	case !meets(r.Version, constraint):
		return "", otherVersion
	case filepath.IsAbs(r.Dir):
		return r.Dir, lacksNothing
	}
	return filepath.Join(list.root, filepath.FromSlash(r.Dir)), lacksNothing
}

// meets reports whether a version meets a constraint, as far as both can be read.
func meets(installed, constraint string) bool {
	v, err := version.NewVersion(installed)
	c, alsoErr := version.NewConstraint(constraint)
	return err != nil || alsoErr != nil || c.Check(v)
}

// isSameSource reports whether a source in the manifest is what init makes of one in a
// configuration.
func isSameSource(recorded, source string) bool {
	if recorded == source {
		return true
	}
	if modulesource.IsRegistry(source) {
		// A source without a host is one of the engine's own registry.
		for _, p := range engine.Products() {
			if recorded == p.Registry()+"/"+source {
				return true
			}
		}
		return strings.EqualFold(recorded, source)
	}
	return plainSource(recorded) == plainSource(source)
}

// plainSource is a source without the parts in which its long and its short form differ: the way to
// get it, the user, and the ending of a repository.
func plainSource(source string) string {
	if _, rest, ok := strings.Cut(source, "::"); ok {
		source = rest
	}
	if _, rest, ok := strings.Cut(source, "://"); ok {
		source = rest
	} else if host, rest, ok := strings.Cut(source, ":"); ok { // git@HOST:PATH
		source = host + "/" + rest
	}
	source = strings.TrimPrefix(source, "git@")
	address, query, _ := strings.Cut(source, "?")
	repository, sub, _ := strings.Cut(address, "//")
	repository = strings.TrimSuffix(strings.TrimSuffix(repository, "/"), ".git")
	return strings.Join([]string{repository, sub, query}, "\n")
}
