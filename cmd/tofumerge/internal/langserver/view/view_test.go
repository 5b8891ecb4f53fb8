package view

import (
	"path/filepath"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

func viewOf(t *testing.T, archive string) *View {
	t.Helper()
	return &View{
		Dir: filepath.FromSlash("/dir"), Encoding: "utf-16", Merged: mergetest.Archive(t, archive),
		Open: map[string]protocol.DocumentURI{"main.tf": "FILE:///dir/main.tf"}, Settings: map[string]protocol.DocumentURI{filepath.FromSlash("/dir/s.hcl"): "file:///dir/%73.hcl"},
	}
}

// Positions count in the encoding of the client, in the texts that were read.
func TestView(t *testing.T) {
	v := viewOf(t, "-- main.tf --\nlocals {\n  a = \"ä😀\" # x\n  b = 1\n}\n-- override.tf --\nlocals {\n  b = 2\n}\n")
	f := v.Merged.Source.File("main.tf")
	at := protocol.Position{Line: 2, Character: 3}
	it := v.ItemAt("main.tf", at)
	if it == nil || it.Called() != "b" {
		t.Fatalf("at %+v is %v", at, it)
	}
	place := v.Location(it)
	if place.URI != "FILE:///dir/main.tf" || place.Range.Start != (protocol.Position{Line: 2, Character: 2}) || place.Range.End != (protocol.Position{Line: 2, Character: 3}) {
		t.Errorf("it is at %+v", place)
	}
	value := f.Block(0).Items()[0].(*source.Attr).Value()
	if r := v.Range(value); r.End.Character-r.Start.Character != 5 {
		t.Errorf("the text takes up %+v", r)
	}
	if first := v.Text("main.tf"); first != v.Text("main.tf") {
		t.Error("a text is made twice")
	}
	if v.Text("none.tf") != nil || v.ItemAt("none.tf", at) != nil || v.Range(hcl.Range{Filename: "none.tf"}) != (protocol.Range{}) {
		t.Error("a file that was not read has places")
	}
	if v.Size() == 0 {
		t.Error("the view has no size")
	}
	v.Keep("s.hcl", []byte("a = 1\n"))
	if v.ItemAt("s.hcl", at) != nil {
		t.Error("a file that isn't configuration has items")
	}
	if r := v.Range(hcl.Range{Filename: "s.hcl", Start: hcl.Pos{Byte: 0}, End: hcl.Pos{Byte: 5}}); r.End.Character != 5 {
		t.Errorf("the range is %+v", r)
	}
	for name, want := range map[string]protocol.DocumentURI{"main.tf": "FILE:///dir/main.tf", "s.hcl": "file:///dir/%73.hcl", "override.tf": "file:///dir/override.tf"} {
		if got := v.URI(name); got != want && !isWindows {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// A module that could not be loaded has no texts but those that were kept.
func TestUnread(t *testing.T) {
	v := &View{}
	if v.Text("main.tf") != nil || v.Size() != 0 || v.ItemAt("main.tf", protocol.Position{}) != nil {
		t.Error("there is something")
	}
	v.Keep("main.tf", []byte("x"))
	if v.Text("main.tf") == nil || v.ItemAt("main.tf", protocol.Position{}) != nil {
		t.Error("what was kept is gone, or has items")
	}
}

type key struct{}

// Values derived from a view are computed once.
func TestOnce(t *testing.T) {
	v, n := &View{}, 0
	for range 2 {
		if got := Once(v, key{}, func(*View) int { n++; return n }); got != 1 {
			t.Errorf("it is %d", got)
		}
	}
	size := Cached(func(v *View) int { n++; return len(v.Dir) })
	for _, v := range []*View{{Dir: "a"}, {Dir: "bc"}} {
		if first, again := size(v), size(v); first != len(v.Dir) || again != first {
			t.Errorf("%s: %d and %d", v.Dir, first, again)
		}
	}
	if n != 3 {
		t.Errorf("%d values were computed", n)
	}
}

// While somebody types, the view without the broken lines is shown, as the client sees it.
func TestShown(t *testing.T) {
	v := viewOf(t, "-- main.tf --\nlocals {\n}\n")
	if v.Shown() != v {
		t.Error("nothing is broken, and another view is shown")
	}
	v.WithoutBroken = func() *View { return nil }
	if v.Shown() != v {
		t.Error("nothing helps, and another view is shown")
	}
	v.Redact = true
	v.WithoutBroken = func() *View { return &View{} }
	shown := v.Shown()
	if shown == v || shown != v.Shown() || shown.Encoding != "utf-16" || !shown.Redact || len(shown.Open) != 1 || len(shown.Settings) != 1 {
		t.Errorf("shown is %+v", shown)
	}
}

func TestURIOf(t *testing.T) {
	path, err := filepath.Abs("a b.tf")
	if err != nil {
		t.Fatal(err)
	}
	if back, ok := PathOf(URIOf(path)); !ok || back != path {
		t.Errorf("%s comes back as %s, %v", path, back, ok)
	}
}
