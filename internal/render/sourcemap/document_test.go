package sourcemap_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

func TestDocument(t *testing.T) {
	f := &sourcemap.File{Name: "main.tf", Lines: 3, Ranges: []sourcemap.Range{
		{Line: 1, Count: 2, Origins: []sourcemap.Origin{{File: "a_override.tf", Line: 7}}},
		{Line: 3, Count: 1, Origins: []sourcemap.Origin{{File: "main.tf", Line: 2}}, Approximate: true},
	}}
	d := &sourcemap.Document{Format: sourcemap.Format, Modules: []sourcemap.Module{
		{Directory: "web", Flattened: "/flat/web", Files: []*sourcemap.File{f}},
		{Directory: "web/db", Flattened: "/flat/db", Files: []*sourcemap.File{f}},
	}}
	var text bytes.Buffer
	if err := d.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := sourcemap.Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, again); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]int{"/flat/web/main.tf": 1, "db/./main.tf": 1, "main.tf": 2, "ain.tf": 0, "web/other.tf": 0} {
		if modules, files := again.Find(name); len(files) != want || len(modules) != want {
			t.Errorf("%s names %d files, not %d", name, len(files), want)
		}
	}
	if at, ok := f.At(2); !ok || at.Approximate || at.Origins[0].Line != 8 {
		t.Errorf("line 2 comes from %+v", at)
	}
	if _, ok := f.At(0); ok {
		t.Error("there is a line 0")
	}
}

func TestNoDocument(t *testing.T) {
	for _, text := range []string{
		"", "[]", "{}", `{"version":2}`,
		`{"version":1,"modules":[{"files":[null]}]}`,
		`{"version":1,"modules":[{"files":[{"lines":2,"ranges":[{"line":1,"count":1,"origins":[{}]}]}]}]}`,
		`{"version":1,"modules":[{"files":[{"lines":1,"ranges":[{"line":1,"count":1}]}]}]}`,
		`{"version":1,"modules":[{"files":[{"lines":1,"ranges":[{"line":2,"count":1,"origins":[{}]}]}]}]}`,
		`{"version":1,"modules":[{"files":[{"lines":-9223372036854775807,"ranges":[{"line":1,"count":9223372036854775807,"origins":[{}]}]}]}]}`,
	} {
		if _, err := sourcemap.Read([]byte(text)); err == nil {
			t.Errorf("it takes %s", text)
		}
	}
}
