package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

const relative = `
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
	m := mergetest.Archive(t, relative)
	var sources []string
	for _, s := range relativeSources(m) {
		sources = append(sources, s.String())
	}
	const remark = " is relative to the module's directory, and the new directory lacks its target; flatten both with -r, from a directory that holds them, or change the source"
	want := []string{"override.tf:2: module.near.source" + remark, "main.tf:5: module.up.source" + remark}
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"main.tf:12"}, moduleDirs(m)); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
}
