package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Only an effective item in a block of a primary file decides, for the file that sets it.
func TestOverrides(t *testing.T) {
	for _, test := range []struct{ name, files, want string }{
		{"an argument is replaced and one added", `
-- main.tf --
resource "a_b" "x" {
  size = 1
}
-- override.tf --
resource "a_b" "x" {
  zone = "n"
  size = 2
}
`, "override.tf:2 a_b.x zone\noverride.tf:3 a_b.x size\n"},
		{"the later file takes the effect away", `
-- main.tf --
resource "a_b" "x" {
  size = 1
}
-- a_override.tf --
resource "a_b" "x" {
  size = 2
}
-- b_override.tf --
resource "a_b" "x" {
  size = 3
}
`, "b_override.tf:2 a_b.x size\n"},
		{"what says the same decides, too", `
-- main.tf --
variable "v" {
  default = 1
}
-- override.tf --
variable "v" {
  default = 1
}
`, "override.tf:2 var.v default\n"},
		{"a nested block is named without its number", `
-- main.tf --
resource "a_b" "x" {
  net {
    a = 1
  }
  lifecycle {
    prevent_destroy = true
  }
}
-- override.tf --
resource "a_b" "x" {
  net {
    a = 2
  }
  net {
    a = 3
  }
  lifecycle {
    prevent_destroy = false
  }
}
`, "override.tf:2 a_b.x net\noverride.tf:5 a_b.x net\noverride.tf:9 a_b.x lifecycle.prevent_destroy\n"},
		{"a local value is named by itself", `
-- main.tf --
locals {
  a = 1
  b = 2
}
-- override.tf --
locals {
  b = 3
}
`, "override.tf:2 locals b\n"},
		{"a block that an override file brings has no comment", `
-- main.tf --
locals {
  a = 1
}
-- override.tf --
terraform {
  required_version = ">= 1.0"
}
locals {
  a = 2
}
`, "override.tf:5 locals a\n"},
		{"a backend takes away a cloud block", `
-- main.tf --
terraform {
  cloud {
    organization = "o"
  }
}
-- override.tf --
terraform {
  backend "local" {
    path = "p"
  }
}
`, "override.tf:2 terraform backend\n"},
		{"a block takes something away by its lack of it", `
-- main.tf --
terraform {
  backend "s3" {
    bucket = "b"
    key    = "k"
  }
}
-- override.tf --
terraform {
  backend "s3" {
    bucket = "c"
  }
}
`, "override.tf:2 terraform backend\n"},
		{"a count takes the place of for_each", `
-- main.tf --
resource "a_b" "x" {
  for_each = {}
}
-- override.tf --
resource "a_b" "x" {
  count = 0
}
`, "override.tf:2 a_b.x count\n"},
		{"nothing is overridden", `
-- main.tf --
locals {
  a = 1
}
`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got strings.Builder
			m := mergetest.Archive(t, test.files)
			for _, o := range Overrides(m) {
				if o.Block.File.Name != "main.tf" {
					t.Errorf("%s is noted at a block of %s", o.Name, o.Block.File.Name)
				}
				fmt.Fprintf(&got, "%s %s %s\n", diag.Place(source.Where(o.By)), address.OfBlock(m, o.Block), o.Name)
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
