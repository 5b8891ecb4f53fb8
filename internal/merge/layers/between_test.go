package layers_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// Values are compared as the types make them, and not as they are written.
func TestBetween(t *testing.T) {
	set := func(main, values string) *layers.Set {
		src, diags := loadtest.Files(t, map[string][]byte{"main.tf": []byte(main)}, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		file, others := assignments.Parse("terraform.tfvars", []byte(values), src.Engine)
		if diags = append(append(diags, more...), others...); diags.HasErrors() {
			t.Fatal(diags)
		}
		return layers.Of(m, layers.Inputs{Files: []*assignments.File{file}})
	}
	was := set(`variable "n" {
  type = number
}
variable "d" {
  default = 1
}
variable "outranked" {
  default = 1
}
variable "never" {
  default  = 1
  nullable = false
}
variable "gone" {}
variable "wrong" {
  type = number
}
variable "typed" {}
variable "hush" {}
`, "typed = \"x\"\nn = 1\noutranked = 5\nnever = 2\ngone = 1\nwrong = 1\nhush = 1\nother = 1\n")
	is := set(`variable "n" {
  type = number
}
variable "d" {
  default = 2
}
variable "outranked" {
  default = 2
}
variable "never" {
  default  = 1
  nullable = false
}
variable "new" {}
variable "wrong" {
  type = number
}
variable "typed" {
  type = number
}
variable "hush" {
  sensitive = true
}
`, "typed = \"x\"\nn = \"1\"\noutranked = 5\nnever = null\nwrong = \"x\"\nhush = 2\nother = 2\n")
	var got []string
	for _, c := range layers.Between(was, is) {
		side := func(v *layers.ValueSide) string {
			switch {
			case v == nil:
				return "-"
			case v.From == nil:
				return string(v.State)
			}
			return fmt.Sprintf("%s %s %s", v.State, v.Text(), v.From.Rule.Source)
		}
		got = append(got, fmt.Sprintf("%s %d %t: %s, %s", c.Name, c.Kind(), c.IsSecret(), side(c.Before), side(c.After)))
	}
	want := []string{
		"d 0 false: known 1 default, known 2 default",
		"never 0 false: known 2 file, known 1 default",
		"new 1 false: -, unset",
		"wrong 0 false: known 1 file, refused  file",
		"typed 0 false: known \"x\" file, refused  file",
		"hush 0 true: known 1 file, known  file",
		"gone 2 false: known 1 file, -",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
