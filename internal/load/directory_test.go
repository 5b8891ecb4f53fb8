package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// memory is a directory that is not on the disk.
type memory map[string]string

func (d memory) Names() ([]string, map[string]bool, error) {
	if d == nil {
		return nil, nil, errors.New("no such revision")
	}
	var names []string
	for name := range d {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil, nil
}

func (d memory) Read(name string, limit int64) ([]byte, error) {
	text, ok := d[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case int64(len(text)) > limit:
		return nil, errors.New("too large")
	}
	return []byte(text), nil
}

func (d memory) EscapesRepo(name string) bool { return strings.HasPrefix(name, "link") }

// onDisk writes the same files.
func (d memory) onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range d {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func newest(t *testing.T, name string) engine.Release {
	t.Helper()
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func loaded(t *testing.T, dir string, o Options) (*Module, []string) {
	t.Helper()
	m, diags, err := Dir(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, d := range diags {
		messages = append(messages, fmt.Sprintf("%s:%d: %s", d.Subject.Filename, d.Subject.Start.Line, d.Detail))
	}
	return m, messages
}

var shop = memory{
	"main.tf": "locals {\n  a = 1\n}\n", "b_override.tf": "locals {\n  a = 2\n}\n", "a_override.tf.json": `{"locals": {"a": 3}}`,
	"notes.txt": "x", LockName: "provider \"registry.opentofu.org/a/b\" {\n}\n",
}

// A directory in a revision is loaded as one on the disk is, and both know that they are the same.
func TestFromElsewhere(t *testing.T) {
	dir := shop.onDisk(t)
	onDisk, _ := loaded(t, dir, Options{})
	there, _ := loaded(t, "elsewhere", Options{From: shop})
	var names [2][]string
	for i, m := range []*Module{onDisk, there} {
		for _, f := range m.Files {
			names[i] = append(names[i], fmt.Sprint(f.Name, " ", f.Role, " ", string(f.Raw)))
		}
	}
	if diff := cmp.Diff(names[0], names[1]); diff != "" || len(names[0]) != 3 {
		t.Errorf("-disk +elsewhere:\n%s", diff)
	}
	if there.Files[0].Path != "" || onDisk.Files[0].Path != filepath.Join(dir, "main.tf") {
		t.Errorf("the paths are %q and %q", there.Files[0].Path, onDisk.Files[0].Path)
	}
	for name, change := range map[string]func(memory){
		"":             func(memory) {},
		"another file": func(d memory) { d["c.tf"] = "" },
		"fewer files":  func(d memory) { delete(d, "b_override.tf") },
		"another name": func(d memory) { d["c_override.tf"] = d["b_override.tf"]; delete(d, "b_override.tf") },
		"other bytes":  func(d memory) { d["main.tf"] += "\n" },
		"another lock": func(d memory) { d[LockName] += "\n" },
		"no lock":      func(d memory) { delete(d, LockName) },
	} {
		other := memory{}
		for n, text := range shop {
			other[n] = text
		}
		change(other)
		if got := onDisk.IsSameAs(other, 1000); got != (name == "") {
			t.Errorf("with %s it is the same: %v", name, got)
		}
	}
	if onDisk.IsSameAs(memory(nil), 1000) || there.IsSameAs(shop, 1000) {
		t.Error("what can't be compared is the same")
	}
	other := memory{"notes.txt": "changed", "extra.txt": ""}
	for n, text := range shop {
		if n != "notes.txt" {
			other[n] = text
		}
	}
	if !onDisk.IsSameAs(other, 1000) {
		t.Error("files that are no configuration count")
	}
}

// Override files are measured wherever they are.
func TestOverridesExceed(t *testing.T) {
	size := len(shop["b_override.tf"]) + len(shop["a_override.tf.json"])
	none := filepath.Join(t.TempDir(), "none")
	for _, c := range []struct {
		name, dir string
		from      Directory
		excluded  string
		size      int
	}{
		{"on the disk", shop.onDisk(t), nil, "", size},
		{"elsewhere", "x", shop, "", size},
		{"without an excluded file", "x", shop, "b_override.tf", len(shop["a_override.tf.json"])},
		{"no directory", none, nil, "", 0},
	} {
		o := Options{Engine: engine.Default(), From: c.from, MaxFileSize: 1000, Excluded: func(name string) bool { return name == c.excluded }}
		if o.OverridesExceed(c.dir, c.size) || !o.OverridesExceed(c.dir, c.size-1) {
			t.Errorf("%s: not %d bytes", c.name, c.size)
		}
	}
}

// A source address is completed as the engine does.
func TestProviderAddress(t *testing.T) {
	for _, c := range []struct{ name, source, engine, want string }{
		{"shop", "", "opentofu@1.9.0", "registry.opentofu.org/hashicorp/shop"},
		{"shop", "", "terraform@1.9.0", "registry.terraform.io/hashicorp/shop"},
		{"shop", "Example/Shop", "opentofu@1.9.0", "registry.opentofu.org/example/shop"},
		{"shop", "till", "opentofu@1.9.0", "registry.opentofu.org/hashicorp/till"},
		{"shop", "host.example/a/b", "opentofu@1.9.0", "host.example/a/b"},
		{"terraform", "", "opentofu@1.9.0", "terraform.io/builtin/terraform"},
		{"terraform", "a/terraform", "opentofu@1.9.0", "registry.opentofu.org/a/terraform"},
	} {
		got := providerAddress(c.name, c.source, newest(t, c.engine))
		if got != c.want {
			t.Errorf("%s from %q: %s, want %s", c.name, c.source, got, c.want)
		}
	}
}

// A requirement is an object or a version alone, native or JSON.
func TestSourceIn(t *testing.T) {
	m, _ := loaded(t, "x", Options{From: memory{"main.tf": `terraform {
  required_providers {
    a = { source = "example/a", version = ">= 1.0" }
    b = "~> 2.0"
    c = { version = "x" }
    d = { source = "hashicorp/d" }
    e = {}
    f = { "source" = "g/f", (true) = 1 }
  }
}
`, "j.tf.json": `{"terraform": {"required_providers": {"j": {"source": "example/j", "version": "1.0"}}}}`}})
	want := map[string]string{
		"a": "example/a|false", "b": "|true", "c": "|true", "d": "hashicorp/d|true", "e": "|true", "f": "g/f|false", "j": "example/j|false",
	}
	seen := 0
	for _, f := range m.Files {
		for _, it := range f.Block(0).Blocks("required_providers")[0].Items() {
			a := it.(*source.Attr)
			if got := fmt.Sprintf("%s|%v", sourceIn(a), HasDefaultSource(a)); got != want[a.Name] || !IsRequirement(a) {
				t.Errorf("%s is %s, want %s", a.Name, got, want[a.Name])
			}
			seen++
		}
	}
	if seen != len(want) {
		t.Errorf("%d requirements, want %d", seen, len(want))
	}
}

// Bytes that aren't text get one warning a file, with the number of lines; so do invisible characters
// of override files.
func TestOddBytes(t *testing.T) {
	_, got := loaded(t, "x", Options{From: memory{
		"a.tf": "# \xff\nlocals {}\n", "b.tf": "# ok ü\n# \xff\n# \xfe \xfd\n# x\n# \xfc\n", "c.tf.json": "{\"//\": \"\xff\"}", "d.tf": "locals {}\n",
		"e.tf": "# \u202e\n", "o_override.tf": "\ufeff# a\n# \u202e\n# ok é\n# \u2066a\n", "p_override.tf.json": "{\"//\": \"a\u200db\u200d\"}",
		"q_override.tf": "# 👨\u200d👩 ن\u200c \u0600\n# \u3164\n",
	}})
	want := []string{
		"a.tf:1: There are bytes here that are not UTF-8. OpenTofu keeps them unchanged. Save the file as UTF-8.",
		"b.tf:2: There are bytes here and on 2 more lines that are not UTF-8. OpenTofu keeps them unchanged. Save the file as UTF-8.",
		"c.tf.json:1: There are bytes here that are not UTF-8. OpenTofu reads each of them as U+FFFD, and so they are printed. Save the file as UTF-8.",
		"o_override.tf:2: There is the bidirectional control U+202E here and on 1 more line, so this file isn't what it looks like. Remove it, or write it as an escape in a string.",
		"p_override.tf.json:1: There is the invisible character U+200D here, so this file isn't what it looks like. Remove it, or write it as an escape in a string.",
		"q_override.tf:2: There is the invisible character U+3164 here, so this file isn't what it looks like. Remove it, or write it as an escape in a string.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Constraints are read even from files that only one engine reads and from files that exclude later
// releases.
func TestConstrainedFiles(t *testing.T) {
	version := func(c string) string { return "terraform {\n  required_version = " + c + "\n}\n" }
	d := memory{
		"main.tf": version(`"~> 1.5.0"`), "other.tf": version(`">= 1.0"`), "a_override.tf": version(`"< 1.2"`),
		"x.tofu": version(`">= 1.8"`) + version("local.v"), "y.tofu.json": `{"terraform": {"required_version": "< 2.0"}}`, ".hidden.tofu": version(`"1.0"`),
	}
	describe := func(list []ConstrainedFile) string {
		var out strings.Builder
		for _, f := range list {
			fmt.Fprintf(&out, "%s %v\n", f.Name, f.Required)
		}
		return out.String()
	}
	tofu := "x.tofu [>= 1.8]\ny.tofu.json [< 2.0]\n"
	bounded := "main.tf [~> 1.5.0]\nother.tf [>= 1.0]\n"
	for name, o := range map[string]Options{"disk": {}, "elsewhere": {From: d}} {
		dir := d.onDisk(t)
		if diff := cmp.Diff(tofu, describe(TofuFiles(dir, o))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(bounded, describe(BoundedFiles(dir, o, newest(t, "terraform@1.9.0")))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	open := memory{"main.tf": version(`">= 1.0"`), "o_override.tf": version(`"~> 1.0"`)}
	if got := BoundedFiles("x", Options{From: open}, newest(t, "terraform@1.9.0")); got != nil {
		t.Errorf("open constraints: %v", got)
	}
	given := Options{From: open, Contents: map[string][]byte{"main.tf": []byte(version(`"< 1.6"`))}}
	if got := describe(BoundedFiles("x", given, newest(t, "terraform@1.9.0"))); got != "main.tf [< 1.6]\n" {
		t.Errorf("an editor's text: %q", got)
	}
}

// An overlay is one more override file with a unique name, in JSON if it looks like JSON.
func TestOverlays(t *testing.T) {
	m, messages := loaded(t, "x", Options{From: shop, Overlays: []Overlay{
		{Name: Stdin, Raw: []byte(" \n{\"locals\": {\"a\": 4}}")}, {Name: "main.tf", Raw: []byte("locals {\n  a = 5\n}\n")},
		{Name: Stdin, Raw: []byte("locals {\n  a = 6\n}\n")}, {Name: "x.tofu.json", Raw: []byte("{}")},
	}})
	if len(messages) > 0 {
		t.Fatal(messages)
	}
	var got []string
	for _, f := range m.Files[3:] {
		got = append(got, fmt.Sprintf("%s override %v json %v tofu %v", f.Name, f.Role == source.Override, f.Syntax == source.JSON, f.Tofu))
	}
	if diff := cmp.Diff([]string{
		"<stdin> override true json true tofu false", "./main.tf override true json false tofu false",
		"./<stdin> override true json false tofu false", "x.tofu.json override true json true tofu true",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Override files can be left out, which shows.
func TestExclude(t *testing.T) {
	m, _ := loaded(t, "x", Options{From: shop, Excluded: func(name string) bool { return name == "b_override.tf" || name == "main.tf" }})
	if len(m.Files) != 2 || m.File("b_override.tf") != nil {
		t.Errorf("%d files", len(m.Files))
	}
	for _, e := range m.Names {
		if (e.Status == Excluded) != (e.Name == "b_override.tf") {
			t.Errorf("%s is %v", e.Name, e.Status)
		}
	}
}

// Targets of links outside the module are not quoted unless the caller allows it.
func TestHideQuotes(t *testing.T) {
	from := memory{"link.tf": "locals {\n  secret!\n}\n", "main.tf": "locals {\n  own!\n}\n"}
	for _, show := range []bool{false, true} {
		m, diags, err := Dir("x", Options{From: from, ShowSource: show})
		if err != nil {
			t.Fatal(err)
		}
		m.HideQuotes(diags)
		for _, d := range diags {
			isQuoted := !strings.HasPrefix(d.Detail, NotQuoted)
			if want := show || d.Subject.Filename == "main.tf"; isQuoted != want {
				t.Errorf("%s with ShowSource %v is quoted: %v", d.Subject.Filename, show, isQuoted)
			}
		}
	}
}

// Ranges of JSON items are those in the file; related ranges are converted, too.
func TestPlaces(t *testing.T) {
	m, _ := loaded(t, "x", Options{From: memory{"a.tf.json": "{\n  \"locals\": {\n    \"a\": 1\n  }\n}\n", "main.tf": "locals {\n  b = 1\n}\n"}})
	a := m.File("a.tf.json").Block(0).Attr("a")
	d := diag.NewWith(diag.Related{Range: a.Header()}, a.Header(), "s", "d")
	diag.WithAlso([]hcl.Range{a.Header()}, d)
	unknown := diag.New(hcl.Range{Filename: "other.tf", Start: hcl.Pos{Line: 7}}, "s", "d")
	m.PlaceOnDisk(hcl.Diagnostics{d, unknown})
	related, _ := diag.RelatedOf(d)
	if d.Subject.Start.Line != 3 || related.Range.Start.Line != 3 || diag.AlsoOf(d)[0].Start.Line != 3 || unknown.Subject.Start.Line != 7 {
		t.Errorf("%v, %v, %v, %v", d.Subject, related.Range, diag.AlsoOf(d), unknown.Subject)
	}
	b := m.File("main.tf").Block(0).Attr("b")
	if got := ItemAt(m, b.Header()); got != b {
		t.Errorf("the item there is %v", got)
	}
	if got := ItemAt(m, hcl.Range{Filename: "other.tf"}); got != nil {
		t.Errorf("in no file is %v", got)
	}
}

// A file that can't be read is an error about the file.
func TestUnreadable(t *testing.T) {
	dir := memory{"main.tf": "locals {}\n"}.onDisk(t)
	if err := os.Symlink("nowhere", filepath.Join(dir, "gone.tf")); err != nil {
		t.Skip(err)
	}
	_, got := loaded(t, dir, Options{})
	if diff := cmp.Diff([]string{"gone.tf:0: Can't read the file: the target of the symbolic link does not exist."}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The module is loaded from the names and texts by which its engine was chosen, once: later loads read
// what is on the disk by then.
func TestReadAhead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opts := Options{Ahead: new(sync.Map)}
	write("main.tf", "# before\n")
	_ = BoundedFiles(dir, opts, newest(t, "terraform@1.9.0"))
	_ = TofuFiles(dir, opts)
	write("main.tf", "# after\n")
	write("new.tf", "")
	for i, want := range []string{"# before\n", "# after\n"} {
		m, diags, err := Dir(dir, opts)
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		if got := string(m.Files[0].Raw); got != want || len(m.Files) != 1+i {
			t.Errorf("loaded %q and %d files, want %q", got, len(m.Files), want)
		}
	}
}
