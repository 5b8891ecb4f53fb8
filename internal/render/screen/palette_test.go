package screen

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// colors are the sequences that colour text.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// painters are the colours of a palette by their purpose.
func painters(p Palette) map[string]func(string) string {
	all := map[string]func(string) string{
		"error": p.Error, "warning": p.Warning, "place": p.Place, "dim": p.Dim,
		"hunk": p.Hunk, "inserted": p.Inserted, "deleted": p.Deleted,
	}
	for kind := range markColors {
		all["mark "+string(kind)] = func(text string) string { return p.Mark(kind, text) }
	}
	return all
}

// A palette adds sequences around a text and leaves the text alone; without colours it adds none,
// whatever the environment contains.
func TestPaint(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	for name, paint := range painters(NewPalette(true)) {
		got := paint("a text")
		if got == "a text" {
			t.Errorf("%s has no colour", name)
		}
		if plain := colors.ReplaceAllString(got, ""); plain != "a text" {
			t.Errorf("%s changes the text to %q", name, plain)
		}
	}
	for name, paint := range painters(NewPalette(false)) {
		if got := paint("a text"); got != "a text" {
			t.Errorf("%s is %q without colours", name, got)
		}
	}
	if !NewPalette(true).IsColored() || NewPalette(false).IsColored() {
		t.Error("IsColored is not what New was given")
	}
}

// Colours that readers must distinguish differ, and each mark has one.
func TestMarks(t *testing.T) {
	p := NewPalette(true)
	for _, pair := range [][2]effect.Mark{
		{effect.MarkOverride, effect.MarkAdded}, {effect.MarkAdded, effect.MarkRemoved}, {effect.MarkOverride, effect.MarkReplaced},
		{effect.MarkReplaced, effect.MarkMerged}, {effect.MarkInForce, effect.MarkNoEffect}, {effect.MarkNoEffect, effect.MarkRefused},
	} {
		if p.Mark(pair[0], "x") == p.Mark(pair[1], "x") {
			t.Errorf("%v and %v look alike", pair[0], pair[1])
		}
	}
	if got := p.Mark("", "x"); got != "x" {
		t.Errorf("a mark without a kind is %q", got)
	}
	if p.Inserted("x") == p.Deleted("x") || p.Error("x") == p.Warning("x") {
		t.Error("opposites look alike")
	}
}

// Inks start and end on each line, and no ink is on at a line end or on an empty line.
func TestInks(t *testing.T) {
	on, off := inks[String].on, inks[String].off
	if on == "" || off == "" {
		t.Fatalf("strings have the ink %q, %q", on, off)
	}
	for _, c := range []struct {
		class      Class
		text, want string
	}{
		{String, "one", on + "one" + off},
		{String, "one\ntwo\r\n\r\n\n  three", on + "one" + off + "\n" + on + "two" + off + "\r\n\r\n\n" + on + "  three" + off},
		{String, "a", on + "a" + off},
		{String, "", ""},
		{Other, "one\ntwo", "one\ntwo"},
	} {
		var out bytes.Buffer
		Painter{Palette: NewPalette(true)}.writeClass(&out, c.class, []byte(c.text))
		if out.String() != c.want {
			t.Errorf("%q in ink %d is %q, want %q", c.text, c.class, out.String(), c.want)
		}
	}
	seen := map[string]Class{}
	for class := Other + 1; class < classes; class++ {
		if before, ok := seen[inks[class].on]; ok || inks[class].on == "" {
			t.Errorf("class %d has the ink of class %d, or none", class, before)
		}
		seen[inks[class].on] = class
	}
}
