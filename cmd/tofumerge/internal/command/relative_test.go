package command

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

const relativeModule = `
-- main.tf --
module "near" {
  source = "./near"
}
module "up" {
  source = "../up"
}
module "far" {
  source = "a/b/c"
}
locals {
  text = "path.module"
  dir  = "${path.module}/x"
}
-- override.tf --
module "near" {
  source = "./other"
}
`

// Sources and other settings whose meaning depends on the directory.
func TestRelative(t *testing.T) {
	m := mergetest.Archive(t, relativeModule)
	var sources []string
	eachRelativeSource(m, func(own address.Address, a *source.Attr, path string) {
		sources = append(sources, fmt.Sprintf("%s: %s = %s", wording.Place(a), own, path))
	})
	if diff := cmp.Diff([]string{"override.tf:2: module.near.source = ./other", "main.tf:5: module.up.source = ../up"}, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if place, isFound := findPathModule(m); !isFound || place != "main.tf:12" {
		t.Errorf("path.module is at %q", place)
	}
}
