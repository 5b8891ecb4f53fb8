package main

import (
	"fmt"
	"path/filepath"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/evidence"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Where neither the user nor a version file names the engine, other files beside the
// module tell which one runs it. They are for other programs, so nothing in them ends a
// run: what can't be read or understood is no evidence.

// A managerFile is a file by which a version manager learns what to install.
type managerFile struct {
	name string
	read func([]byte) ([]evidence.Tool, error)
}

// managerFiles are the files of version managers of several tools, in the order in which
// they count in one directory. mise reads .tool-versions as well, after its own files.
var managerFiles = []managerFile{
	{".mise.local.toml", evidence.Mise},
	{"mise.local.toml", evidence.Mise},
	{".mise.toml", evidence.Mise},
	{"mise.toml", evidence.Mise},
	{".config/mise.toml", evidence.Mise},
	{".tool-versions", func(text []byte) ([]evidence.Tool, error) { return evidence.ToolVersions(text), nil }},
}

// byManagers chooses the engine by the nearest file of a version manager that names one.
// A file that names several leaves the choice to other evidence: farther files would be
// read by the version manager as well, and don't take back what a nearer one names.
func (f *found) byManagers(dirs []string, files *fileSource) {
	for _, dir := range dirs {
		for _, m := range managerFiles {
			path := filepath.Join(dir, m.name)
			if !files.hasVersionFile(path) {
				continue
			}
			name := diag.Escape(fromHere(path))
			tools, err := readTools(m, path, files)
			switch {
			case err != nil:
				f.doubts = append(f.doubts, fmt.Sprintf("%s doesn't choose the engine: %v. Fix it, or name the engine with --engine.", name, err))
			case len(tools) > 1:
				f.passed = append(f.passed, fmt.Sprintf("%s names %s, so it doesn't decide", name, titles(evidence.Products(tools))))
				return
			case len(tools) == 1:
				f.choice = engineChoice{from: name}
				isCertain := false
				if f.choice.Release, f.choice.assumed, isCertain = tools[0].Release(); !isCertain {
					f.doubts = append(f.doubts, fmt.Sprintf("%s names a release of %s that is too old to be known, so the rules of %s apply. To name another one, use --engine.", name, tools[0].Product.Title(), f.choice.Release))
				}
				return
			}
		}
	}
}

func readTools(m managerFile, path string, files *fileSource) ([]evidence.Tool, error) {
	text, _, err := files.readVersionFile(path)
	if err != nil {
		return nil, worldly(err)
	}
	return m.read(text)
}

func titles(products []engine.Product) string {
	var list []string
	for _, p := range products {
		list = append(list, p.Title())
	}
	return strings.Join(list, " and ")
}

// byModule chooses the engine by what the directory of a module holds: the registry that
// init got the providers from, or else files that only one product reads. Their version
// constraints choose the release. The options say where its files are.
func (f *found) byModule(dir string, from load.Options) {
	product, isLocked := f.lockedBy(dir)
	if isLocked && !product.Newest().ReadsTofuFiles() {
		f.choose(product, nil)
		return
	}
	tofu := load.TofuFiles(dir, from)
	switch {
	case !isLocked && len(tofu) == 0:
		return
	case !isLocked:
		product = engine.TofuReader()
		f.choice.from = diag.Escape(fromHere(filepath.Join(dir, tofu[0].Name)))
	}
	f.choose(product, tofu)
}

// lockedBy is the product whose registry the lock file of a module names.
func (f *found) lockedBy(dir string) (engine.Product, bool) {
	path := filepath.Join(dir, load.LockName)
	if !isThere(path) {
		return "", false
	}
	name := diag.Escape(fromHere(path))
	text, err := input.Read(path, input.MaxLockSize)
	if err != nil {
		f.passed = append(f.passed, fmt.Sprintf("can't read %s: %v", name, worldly(err)))
		return "", false
	}
	switch list := evidence.LockedBy(text); {
	case len(list) > 1:
		f.passed = append(f.passed, fmt.Sprintf("%s names the registries of %s, so it doesn't decide", name, titles(list)))
	case len(list) == 1:
		f.choice = engineChoice{from: name, assumed: fmt.Sprintf(", which names %s", list[0].Registry())}
		return list[0], true
	}
	return "", false
}

// choose takes the newest known release of a product that meets the constraints of some
// files.
func (f *found) choose(product engine.Product, tofu []load.TofuFile) {
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
		f.choice.assumed += "; the newest known"
	case ok:
		f.choice.assumed += "; the newest known that meets required_version in " + strings.Join(setBy, ", ")
	default:
		release = product.Newest()
		f.choice.assumed += "; the newest known, since none meets required_version in " + strings.Join(setBy, ", ")
	}
	f.choice.Release = release
}
