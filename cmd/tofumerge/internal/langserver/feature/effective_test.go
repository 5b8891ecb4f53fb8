package feature

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The effective configuration in both syntaxes, and where in it the items of override files
// are.
func TestEffective(t *testing.T) {
	loadtest.Run(t, "testdata/effective", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		want := map[string]string{}
		var places strings.Builder
		for _, format := range []string{"native", "json"} {
			p := protocol.EffectiveParams{EffectiveOptions: protocol.EffectiveOptions{Format: format}}
			made := Effective(v, nil, "main.tf", p)
			want[format] = made.Content
			if got := EffectiveContent(v, nil, made.URI); got.Text != made.Content {
				t.Errorf("%s has another text: %s", made.URI, got.Text)
			}
			text := view.NewText([]byte(made.Content))
			for _, f := range v.Merged.Source.Files {
				for _, it := range indexOf(v).itemsOf(f.Name) {
					if !source.IsOverride(it) {
						continue
					}
					start := v.Location(it).Range.Start
					p.Position = &start
					fmt.Fprintf(&places, "%s %s %s: ", format, wording.Place(it), it.Called())
					if r := Effective(v, nil, f.Name, p).Range; r != nil {
						from, to := text.Offset(r.Start, v.Encoding), text.Offset(r.End, v.Encoding)
						fmt.Fprintf(&places, "%d %s", r.Start.Line+1, made.Content[from:to])
					}
					places.WriteString("\n")
				}
			}
		}
		want["places"] = places.String()
		return want
	})
}

// The text puts a blank line between files, even if one ends without.
func TestEffectiveFilesApart(t *testing.T) {
	v := viewOf(t, map[string][]byte{
		"a.tf": []byte("locals {\n  a = 1\n}"), "b.tf": []byte("locals {\n  b = 1\n}\n"),
	}, engine.Default(), protocol.UTF16)
	want := "locals {\n  a = 1\n}\n\nlocals {\n  b = 1\n}\n"
	if got := EffectiveContent(v, nil, "tofumerge:///m/effective.tf").Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// If a module can't be merged, because of its settings for example, that is not the engine's
// fault.
func TestEffectiveUnmerged(t *testing.T) {
	broken := check.InternalError("unknown rule")
	broken.Range = hcl.Range{Filename: ".tofumerge.hcl", Start: hcl.Pos{Line: 1, Column: 1}}
	v := &view.View{Dir: "/m", Findings: []check.Finding{broken}}
	got := EffectiveContent(v, nil, "tofumerge:///m/effective.tf").Text
	if want := "# This module can't be merged:\n#   .tofumerge.hcl:1: "; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	got = EffectiveContent(&view.View{Dir: "/m"}, nil, "tofumerge:///m/effective.tf").Text
	if want := "# No configuration could be read from this directory.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The text of a refused module is a comment with the reasons.
func TestEffectiveRefused(t *testing.T) {
	whole := map[string][]byte{"main.tf": []byte("locals {\n  a = 1\n}\n")}
	broken := map[string][]byte{"main.tf": []byte("locals {\n  a = \n}\n"), "b.tf": []byte("locals {\n  a = 1\n  a = 2\n}\n")}
	last := viewOf(t, whole, engine.Default(), protocol.UTF16)
	v := viewOf(t, broken, engine.Default(), protocol.UTF16)
	for _, test := range []struct{ uri, want string }{
		{"tofumerge:///m/effective.tf", "# The engine refuses this module:\n#   b.tf:3: "},
		{"tofumerge:/m/effective.tf?annotate=false", "# The engine refuses this module:\n#   b.tf:3: "},
		{"tofumerge:///m/effective.tf.json", "{\n  \"//\": [\n    \"The engine refuses this module:\",\n"},
	} {
		got := EffectiveContent(v, nil, protocol.DocumentURI(test.uri)).Text
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s", test.uri, got)
		}
		if strings.HasPrefix(test.want, "{") && !json.Valid([]byte(got)) {
			t.Errorf("%s: not JSON", got)
		}
	}
	// The configuration from before stays on its lines.
	got := EffectiveContent(v, last, "tofumerge:///m/effective.tf").Text
	if !strings.HasPrefix(got, "locals { # Out of date. The engine refuses this module: b.tf:3: ") ||
		!strings.Contains(got, " (1 more)\n  a = 1\n}\n\n# The engine refuses this module:\n#   b.tf:3: ") {
		t.Error(got)
	}
	before := EffectiveContent(last, nil, "tofumerge:///m/effective.tf.json").Text
	got = EffectiveContent(v, last, "tofumerge:///m/effective.tf.json").Text
	if _, rest, _ := strings.Cut(before, "\n"); !strings.HasPrefix(got, `{ "//": "Out of date. `) || !strings.HasSuffix(got, "\n"+rest) || !json.Valid([]byte(got)) {
		t.Error(got)
	}
	for _, line := range strings.Split(strings.TrimSuffix(EffectiveContent(v, nil, "").Text, "\n"), "\n") {
		if !strings.HasPrefix(line, "#") {
			t.Errorf("%q is not a comment", line)
		}
	}
}

// A single file with the overrides merged in can be compared with the file.
func TestEffectiveFile(t *testing.T) {
	v := viewOf(t, map[string][]byte{
		"main.tf":       []byte("locals {\n  # one\n  a=1\n}\n"),
		"same.tf":       []byte("locals {\n  b=1\n}\n"),
		"x_override.tf": []byte("locals {\n  a = 2\n}\n"),
	}, engine.Default(), protocol.UTF16)
	for name, want := range map[string]string{
		"main.tf": "locals {\n  # one\n  a=2\n}\n", "same.tf": "locals {\n  b=1\n}\n",
		"x_override.tf": "# The blocks of this file are merged into blocks of primary files.\n",
	} {
		p := protocol.EffectiveParams{EffectiveOptions: protocol.EffectiveOptions{File: true}}
		if got := Effective(v, nil, name, p).Content; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The URI identifies the module, even if an editor spells it differently.
func TestEffectiveURI(t *testing.T) {
	v := viewOf(t, map[string][]byte{"main.tf": []byte("locals {\n  a = 1\n}\n")}, engine.Default(), protocol.UTF16)
	v.Dir = "/m x/ü#?"
	no := false
	for _, test := range []struct {
		given protocol.EffectiveOptions
		want  effectiveOptions
	}{
		{protocol.EffectiveOptions{}, effectiveOptions{annotate: true}},
		{protocol.EffectiveOptions{Annotate: &no}, effectiveOptions{}},
		{protocol.EffectiveOptions{Format: "json"}, effectiveOptions{isJSON: true, annotate: true}},
		{protocol.EffectiveOptions{Format: "json", Annotate: &no}, effectiveOptions{isJSON: true}},
	} {
		uri := Effective(v, nil, "main.tf", protocol.EffectiveParams{EffectiveOptions: test.given}).URI
		if got := optionsIn(uri); got != test.want {
			t.Errorf("%s: %+v", uri, got)
		}
		base := string(protocol.TextDocumentContentParams{URI: uri}.Document())
		if want := string(v.URI("")); !strings.HasPrefix(base, want) || strings.Contains(base, "?") {
			t.Errorf("%s is of %s, want %s", uri, base, want)
		}
	}
	if !bytes.Contains([]byte(v.URI("x")), []byte("%3F")) {
		t.Error("the directory has no question mark")
	}
}
