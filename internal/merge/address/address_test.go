package address

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Segment
	}{
		{"aws_instance.web", []Segment{{"aws_instance", -1}, {"web", -1}}},
		{"x.y.disk[2].size", []Segment{{"x", -1}, {"y", -1}, {"disk", 2}, {"size", -1}}},
		{"variable.region", []Segment{{"var", -1}, {"region", -1}}},
		{"resource.x.y", []Segment{{"x", -1}, {"y", -1}}},
		{"locals.zone", []Segment{{"local", -1}, {"zone", -1}}},
		{"terraform", []Segment{{"terraform", -1}}},
		{"resource", []Segment{{"resource", -1}}}, // a block type alone leads nowhere
	} {
		a, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Segments()
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s%v", c.text, diff, err)
		}
		if a.String() != c.text {
			t.Errorf("%s becomes %s", c.text, a)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":              "write one such as",
		"x..y":          "write one such as",
		"x.[0]":         "write one such as",
		`x.y["key"]`:    "not a key of count or for_each",
		"x.y[-1]":       "not a key of count or for_each",
		"x.y[1":         "not a key of count or for_each",
		"x.y[0].z[one]": "not a key of count or for_each",
	} {
		if a, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %s, error %v; want an error with %q", text, a, err, want)
		}
	}
}

// A path is put together, and taken apart again, by the same type.
func TestPaths(t *testing.T) {
	web := Address("").Child("aws_instance", "web")
	disk := web.Child("disk").At(1)
	size := disk.Child("size")
	if got := web.Child(); got != web {
		t.Errorf("no names lead from %s to %s", web, got)
	}
	for _, c := range []struct{ got, want Address }{
		{size, "aws_instance.web.disk[1].size"},
		{size.Parent(), disk},
		{web.Parent().Parent(), ""},
		{size.Kind(), "aws_instance.web.disk"},
		{web.Kind(), web},
		{size.Next("aws_instance.w"), "aws_instance.web."},
		{size.Next("aws_instance.web.disk[1].s"), size},
		{web.written([]Segment{{"", 0}, {"a", -1}, {"b", 2}}), "aws_instance.web[0].a.b[2]"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	for _, c := range []struct {
		around, rest Address
		isIn         bool
	}{
		{web, "disk[1].size", true},
		{size, "", true},
		{"aws_instance.we", "b.disk[1].size", false},
		{"aws_instance.worker", "aws_instance.web.disk[1].size", false},
	} {
		if rest, isIn := size.In(c.around); isIn != c.isIn || isIn && rest != c.rest {
			t.Errorf("in %s: %s, %v, want %s, %v", c.around, rest, isIn, c.rest, c.isIn)
		}
	}
}
