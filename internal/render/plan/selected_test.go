package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

const tills = `-- main.tf --
resource "shop_till" "day" {
  size = 1
  tags = { Name = "n" }
  disk {
    zone = "a"
  }
  disk {
    old = 1
  }
  dynamic "rule" {
    for_each = []
    content {
      rate = 1
    }
  }
}
locals {
  a = 1
}
resource "shop_till" "night" {}
-- override.tf --
resource "shop_till" "day" {
  disk {
    zone = "b"
  }
}
`

func patterns(t *testing.T, texts ...string) []address.Pattern {
	t.Helper()
	var list []address.Pattern
	for _, text := range texts {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// A filter picks a block by its own address, by its contents, and by values that an override
// dropped from it.
func TestFilter(t *testing.T) {
	m := mergetest.Archive(t, tills)
	files := Arrange(m)
	for text, want := range map[string]string{
		"shop_till.day":             "day",
		"shop_till.*":               "day night",
		"shop_till.day.size":        "day",
		"shop_till.day.tags.Name":   "day",
		"shop_till.day.tags.Owner":  "",
		"shop_till.day.disk.zone":   "day",
		"shop_till.day.disk[0]":     "day",
		"shop_till.day.disk[1].old": "day",
		"shop_till.day.disk[2]":     "",
		"shop_till.day.rule.rate":   "day",
		"shop_till.night.size":      "",
		"local.a":                   "locals",
		"local.b":                   "",
		"**":                        "day locals night",
	} {
		var got []string
		for _, s := range Select(m, files, Selection{Filter: patterns(t, text)}) {
			labels := append([]string{s.Source.Type}, s.Source.Labels...)
			got = append(got, labels[len(labels)-1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s picks %v, want %q", text, got, want)
		}
	}
}

// A selection that leaves something out, or puts it elsewhere, is not whole.
func TestIsWhole(t *testing.T) {
	if !(Selection{}).IsWhole() {
		t.Error("everything is not whole")
	}
	for _, s := range []Selection{{OnlyChanged: true}, {Sort: true}, {Filter: patterns(t, "a.b")}} {
		if s.IsWhole() {
			t.Errorf("%+v is whole", s)
		}
	}
}

// Unmatched lists the patterns that match nothing, whatever the others match.
func TestUnmatched(t *testing.T) {
	m := mergetest.Archive(t, tills)
	got := Unmatched(m, patterns(t, "local.b", "local.a", "shop_till.day.disk[1]", "shop_till.noon"))
	if diff := cmp.Diff([]int{0, 3}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := Unmatched(m, nil); got != nil {
		t.Errorf("without patterns: %v", got)
	}
}

// Parts of a file become items to be written.
func TestMadeOf(t *testing.T) {
	m := mergetest.Archive(t, tills)
	day := m.Source.Files[0].Block(0)
	got := MadeOf([]*merge.Part{{Item: day, IsPartial: true, IsEscaped: true}, {Item: day.Attr("size"), Void: "null"}})
	if len(got) != 2 || got[0].Item != day || !got[0].Escaped || !got[0].IsPartial() || got[0].HasVoid() {
		t.Fatalf("%+v", got)
	}
	if inner := got[1]; inner.Item != day.Attr("size") || inner.Escaped || inner.IsPartial() || !inner.HasVoid() {
		t.Errorf("%+v", inner)
	}
}
