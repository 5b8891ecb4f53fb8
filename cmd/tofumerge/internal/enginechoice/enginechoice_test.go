package enginechoice_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
)

// A tree is files by their paths; "->" marks a link out of the tree.
type tree map[string]string

func (t tree) Has(name string) bool {
	_, ok := t[name]
	return ok || slices.ContainsFunc(t.names(), func(n string) bool { return strings.HasPrefix(n, name+"/") })
}

func (t tree) names() (list []string) {
	for name := range t {
		list = append(list, name)
	}
	return list
}

func (t tree) Read(name string, limit int64) ([]byte, error) {
	text, ok := t[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case int64(len(text)) > limit:
		return nil, errors.New("it is too large")
	}
	return []byte(strings.TrimPrefix(text, "->")), nil
}

func (t tree) EscapesRepo(name string) bool { return strings.HasPrefix(t[name], "->") }

// A treeDir is a directory of a tree.
type treeDir struct {
	tree
	dir string
}

func (d treeDir) Names() (names []string, links map[string]bool, err error) {
	for name := range d.tree {
		if path.Dir(name) == d.dir {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil, nil
}

func (d treeDir) Read(name string, limit int64) ([]byte, error) {
	return d.tree.Read(path.Join(d.dir, name), limit)
}

func (d treeDir) EscapesRepo(name string) bool { return d.tree.EscapesRepo(path.Join(d.dir, name)) }

// linked is a disk on which some files are links out of the repository.
type linked struct {
	repo.Disk
	escapes func(path string) bool
}

func (l linked) EscapesRepo(path string) bool { return l.escapes(path) }

// readers are all ways in which the files of a tree can be read, for the module in sub/mod.
func readers(t *testing.T, files tree) map[string]enginechoice.Reader {
	t.Helper()
	const dir = "sub/mod"
	root := t.TempDir()
	write := func(root string, keep func(name string) bool) {
		for name, text := range files {
			at := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			if !keep(name) {
				continue
			}
			if err := os.WriteFile(at, []byte(strings.TrimPrefix(text, "->")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(root, func(string) bool { return true })
	unsaved := t.TempDir()
	open := map[string][]byte{}
	write(unsaved, func(name string) bool {
		if path.Dir(name) == dir && (strings.Contains(name, ".tf") || strings.Contains(name, ".tofu")) {
			open[path.Base(name)] = []byte(files[name])
		}
		return false
	})
	on := func(root string, disk func(rel func(at string) string) enginechoice.Tree) enginechoice.Reader {
		rel := func(at string) string {
			name, _ := filepath.Rel(root, at)
			return filepath.ToSlash(name)
		}
		return enginechoice.Reader{
			Files:  disk(rel),
			Dirs:   []string{filepath.Join(root, "sub", "mod"), filepath.Join(root, "sub"), root},
			NameOf: rel,
			Module: filepath.Join(root, "sub", "mod"),
		}
	}
	inEditor := on(unsaved, func(rel func(at string) string) enginechoice.Tree {
		return repo.Disk{Open: func(at string) ([]byte, bool) {
			text, ok := files[rel(at)]
			return []byte(text), ok
		}}
	})
	inEditor.Loading.Contents = open
	return map[string]enginechoice.Reader{
		"disk": on(root, func(rel func(at string) string) enginechoice.Tree {
			return linked{escapes: func(at string) bool { return files.EscapesRepo(rel(at)) }}
		}),
		"editor": inEditor,
		"tree":   enginechoice.InTree(files, dir, load.Options{From: treeDir{files, dir}}),
	}
}

// A module has one engine, wherever it is read, and by the order of the documentation.
func TestChoose(t *testing.T) {
	const both = "terraform 1.5\nopentofu 1.9\n"
	lock := func(host string) string { return "provider \"" + host + "/hashicorp/aws\" {\n}\n" }
	required := func(constraint string) string {
		return "terraform {\n  required_version = \"" + constraint + "\"\n}\n"
	}
	for name, x := range map[string]struct {
		files tree
		want  string
	}{
		"nothing":         {tree{}, "opentofu@1.12.6 (no version file; the newest known)"},
		"nearest version": {tree{"sub/.terraform-version": "1.9.5", ".opentofu-version": "1.8.2"}, "terraform@1.9.5 (by sub/.terraform-version)"},
		"version first":   {tree{".opentofu-version": "1.8.2", "sub/mod/.tool-versions": "terraform 1.5"}, "opentofu@1.8.2 (by .opentofu-version)"},
		"nearest manager": {tree{".tool-versions": "terraform 1.5.7", "sub/.tool-versions": "opentofu 1.9"}, "opentofu@1.9.4 (by sub/.tool-versions)"},
		"both":            {tree{".tool-versions": "terraform 1.5.7", "sub/.tool-versions": both}, "opentofu@1.12.6 (no version file; the newest known)"},
		"neither":         {tree{".tool-versions": "terraform 1.5.7", "sub/.tool-versions": "nodejs 20"}, "terraform@1.5.7 (by .tool-versions)"},
		"mise":            {tree{"sub/mod/mise.toml": "[tools]\nterraform = '1.5'"}, "opentofu@1.12.6 (no version file; the newest known)"},
		"lock":            {tree{"sub/mod/.terraform.lock.hcl": lock("registry.terraform.io")}, "terraform@1.16.2 (by sub/mod/.terraform.lock.hcl, which names registry.terraform.io; the newest known)"},
		"lock above":      {tree{"sub/.terraform.lock.hcl": lock("registry.terraform.io")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"both locked":     {tree{"sub/mod/.terraform.lock.hcl": lock("registry.terraform.io") + lock("registry.opentofu.org")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"tofu":            {tree{"sub/mod/a.tofu": "terraform {\n  required_version = \"~> 1.9.0\"\n}\n"}, "opentofu@1.9.4 (by sub/mod/a.tofu; the newest known release that meets required_version in a.tofu)"},
		"bounded":         {tree{"sub/mod/a.tf": required("~> 1.5.0")}, "terraform@1.5.7 (by required_version in sub/mod/a.tf, which no known release of OpenTofu meets)"},
		"patch":           {tree{"sub/mod/a.tf": required("1.9.6")}, "terraform@1.9.6 (by required_version in sub/mod/a.tf, which no known release of OpenTofu meets)"},
		"two files":       {tree{"sub/mod/a.tf": required(">= 1.5"), "sub/mod/b.tf.json": `{"terraform": {"required_version": "< 1.6"}}`}, "terraform@1.5.7 (by required_version in sub/mod/a.tf, sub/mod/b.tf.json, which no known release of OpenTofu meets)"},
		"later":           {tree{"sub/mod/a.tf": required("~> 1.13")}, "terraform@1.16.2 (by required_version in sub/mod/a.tf, which no known release of OpenTofu meets)"},
		"open":            {tree{"sub/mod/a.tf": required(">= 1.13")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"excluded":        {tree{"sub/mod/a.tf": required("!= 1.6.0")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"for both":        {tree{"sub/mod/a.tf": required("~> 1.9.2")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"for neither":     {tree{"sub/mod/a.tf": required("< 1.0")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"not constant":    {tree{"sub/mod/a.tf": "terraform {\n  required_version = var.x\n}\n", "sub/mod/b.tf": "terraform {"}, "opentofu@1.12.6 (no version file; the newest known)"},
		"in an override":  {tree{"sub/mod/override.tf": required("~> 1.5.0")}, "opentofu@1.12.6 (no version file; the newest known)"},
		"in a heredoc":    {tree{"sub/mod/a.tf": "locals {\n  x = <<E\nterraform {\n  required_version = \"~> 1.5.0\"\n}\nE\n}\n"}, "opentofu@1.12.6 (no version file; the newest known)"},
		"beside tofu":     {tree{"sub/mod/a.tf": required("~> 1.5.0"), "sub/mod/b.tofu": ""}, "opentofu@1.12.6 (by sub/mod/b.tofu; the newest known)"},
		"beside version":  {tree{"sub/mod/a.tf": required("~> 1.5.0"), ".opentofu-version": "1.8.2"}, "opentofu@1.8.2 (by .opentofu-version)"},
		"beside lock":     {tree{"sub/mod/a.tf": required("~> 1.5.0"), "sub/mod/.terraform.lock.hcl": lock("registry.opentofu.org")}, "opentofu@1.12.6 (by sub/mod/.terraform.lock.hcl, which names registry.opentofu.org; the newest known)"},
		"locked release":  {tree{"sub/mod/a.tf": required("~> 1.5.0"), "sub/mod/.terraform.lock.hcl": lock("registry.terraform.io")}, "terraform@1.5.7 (by sub/mod/.terraform.lock.hcl, which names registry.terraform.io; the newest known release that meets required_version in a.tf)"},
		"locked, open":    {tree{"sub/mod/a.tf": required(">= 1.5"), "sub/mod/.terraform.lock.hcl": lock("registry.terraform.io")}, "terraform@1.16.2 (by sub/mod/.terraform.lock.hcl, which names registry.terraform.io; the newest known)"},
		"no version":      {tree{".opentofu-version": "x", "sub/mod/main.tf": ""}, "error: .opentofu-version: \"x\" isn't a version of OpenTofu; write a version, such as 1.12.6, or name the engine with --engine"},
	} {
		for kind, r := range readers(t, x.files) {
			got, err := enginechoice.Choose(enginechoice.Wishes{}, r)
			text := ""
			if text = "error: " + fmt.Sprint(err); err == nil {
				text = got.String()
			}
			if text != x.want {
				t.Errorf("%s, %s: %s, want %s", name, kind, text, x.want)
			}
			if isGuess := strings.Contains(text, "required_version in sub/"); err == nil && got.IsAssumed() != (isGuess || got.IsDefault()) {
				t.Errorf("%s, %s: %s is assumed: %v", name, kind, text, got.IsAssumed())
			}
		}
	}
}

// The user's choice precedes files, and settings rank between version managers' files and the lock
// file.
func TestWishes(t *testing.T) {
	files := tree{"sub/mod/.terraform.lock.hcl": "provider \"registry.terraform.io/hashicorp/aws\" {\n}\n"}
	r := readers(t, files)["tree"]
	in := func(dir string) (enginechoice.EngineName, error) {
		if dir == "sub" {
			return enginechoice.EngineName{Text: "opentofu@1.7", From: "settings"}, nil
		}
		return enginechoice.EngineName{}, nil
	}
	choose := func(w enginechoice.Wishes) string {
		got, err := enginechoice.Choose(w, r)
		if err != nil {
			return "error: " + err.Error()
		}
		return got.String()
	}
	if got, want := choose(enginechoice.Wishes{Settings: in}), "opentofu@1.7.10 (by settings)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	given := enginechoice.Wishes{Given: []enginechoice.EngineName{{From: "flag"}, {Text: "terraform@1.6", From: "variable"}}, Settings: in}
	if got, want := choose(given), "terraform@1.6.6 (by variable)"; got != want || !given.IsGiven() {
		t.Errorf("%s, want %s", got, want)
	}
	given.Given[0].Text = "tofoo"
	if got := choose(given); !strings.HasPrefix(got, "error: flag: unknown engine") {
		t.Error(got)
	}
}

// Nothing is quoted from a file that is a link to the outside.
func TestMayQuote(t *testing.T) {
	for kind, r := range readers(t, tree{".opentofu-version": "->hunter2"}) {
		_, err := enginechoice.Choose(enginechoice.Wishes{}, r)
		broken := (*enginechoice.VersionFileError)(nil)
		if !errors.As(err, &broken) || broken.Name != ".opentofu-version" {
			t.Fatalf("%s: %v", kind, err)
		}
		if quotes := strings.Contains(err.Error(), "hunter2"); quotes != (kind == "editor") { // whose user sees the text
			t.Errorf("%s: %v", kind, err)
		}
	}
}
