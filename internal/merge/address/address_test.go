package address

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// parsed is the address of a text.
func parsed(t *testing.T, text string) Address {
	t.Helper()
	a, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Parsed addresses have one spelling.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"aws_instance.web":          "aws_instance.web",
		"x.y.disk[2].size":          "x.y.disk[2].size",
		"variable.region":           "var.region",
		"resource.x.y":              "x.y",
		"locals.zone":               "local.zone",
		"terraform":                 "terraform",
		"resource":                  "resource", // a block type alone is not a path
		`["resource"].x.y`:          "resource.x.y",
		`x.tags["Name"]`:            "x.tags.Name",
		`x.tags["a.b/c"]`:           `x.tags["a.b/c"]`,
		`x.tags[a.b/c]`:             `x.tags["a.b/c"]`, // a shell took the quotes
		`x.tags["1"]`:               `x.tags["1"]`,
		`x.tags.a/b`:                `x.tags["a/b"]`,
		`x.tags["\u0041\"\\"]["]"]`: `x.tags["A\"\\"]["]"]`,
	} {
		if got := parsed(t, text).String(); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	got := parsed(t, `x["a.b"][3].c`).Segments()
	want := []spelling.Segment{spelling.Named("x"), spelling.Named("a.b"), spelling.At(3), spelling.Named("c")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":           "write one such as",
		"x..y":       "a part of it is empty",
		"x.[0]":      "a part of it is empty",
		`x.y["key]`:  "brackets hold a number or a key",
		"x.y[1":      "brackets hold a number or a key",
		"x.y[0]z[1]": "brackets hold a number or a key",
	} {
		if a, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %s, error %v; want an error with %q", text, a, err, want)
		}
	}
}

// A path is put together, and taken apart again, by the same type.
func TestPaths(t *testing.T) {
	web := New("aws_instance", "web")
	disk := web.Child("disk").At(1)
	size := disk.Child("size")
	if got := web.Child(); got != web {
		t.Errorf("no names lead from %s to %s", web, got)
	}
	key := web.Child("tags", `a].["b`)
	for _, c := range []struct {
		got  Address
		want string
	}{
		{size, "aws_instance.web.disk[1].size"},
		{size.Parent(), disk.text},
		{disk.Parent(), "aws_instance.web.disk"},
		{key, `aws_instance.web.tags["a].[\"b"]`},
		{key.Parent(), "aws_instance.web.tags"},
		{New(key.Last()).Parent(), ""},
		{web.Parent().Parent(), ""},
		{size.Kind(), "aws_instance.web.disk"},
		{key.At(3).Kind(), key.text},
		{web.Kind(), web.text},
		{web.Join(New("a b")).At(0), `aws_instance.web["a b"][0]`},
		{web.With([]spelling.Segment{spelling.At(0), spelling.Named("a"), spelling.Named("b"), spelling.At(2)}), "aws_instance.web[0].a.b[2]"},
	} {
		if c.got.text != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	for _, c := range []struct {
		around, rest string
		isIn         bool
	}{
		{"aws_instance.web", "disk[1].size", true},
		{"aws_instance.web.disk", "[1].size", true},
		{size.text, "", true},
		{"aws_instance.we", "", false},
		{"aws_instance.worker", "", false},
	} {
		rest, isIn := size.In(Address{c.around})
		if isIn != c.isIn || isIn && rest.text != c.rest {
			t.Errorf("in %s: %s, %v, want %s, %v", c.around, rest, isIn, c.rest, c.isIn)
		}
	}
	if got := key.Dotted(); got != `aws_instance.web.tags.a].["b` {
		t.Error(got)
	}
	if got := disk.Dotted(); got != disk.text {
		t.Error(got)
	}
	if key.Last() != `["a].[\"b"]` || size.Last() != "size" || disk.Last() != "[1]" {
		t.Errorf("%s, %s, %s", key.Last(), size.Last(), disk.Last())
	}
}
