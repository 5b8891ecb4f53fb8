package command

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// A module that the other product surely reads alike is one in which its reading shows nothing unlike.
func TestReadAlikeIsNotUnlike(t *testing.T) {
	alike := 0
	for _, files := range loadtest.Modules(t, "../../../../testdata") {
		for _, e := range []engine.Release{engine.OpenTofu.Newest(), engine.OpenTofu.Oldest(), engine.Terraform.Newest(), engine.Terraform.Oldest()} {
			mine, err := compare.Read(".", mergetest.InMemory(files.Files, e))
			if err != nil || mine.Diags.HasErrors() {
				continue
			}
			others, err := compare.Read(".", mergetest.InMemory(files.Files, e.Product.Other().Newest()))
			if err != nil || len(others.Refusals()) > 0 || !isSurelyAlike(mine.Module.Source, others.Module.Source.Engine) {
				continue
			}
			alike++
			if reasons := whatIsUnlike(mine.Module, others.Module); len(reasons) > 0 {
				t.Errorf("%s, %s: %s", files.Name, e, reasons)
			}
		}
	}
	if alike < 1000 {
		t.Errorf("only %d modules are alike", alike)
	}
}

// Blocks that no override names decide nothing, even if the other product reads them differently.
func TestSurelyAlike(t *testing.T) {
	const primary = "-- main.tf --\nterraform {\n  required_version = \">= 1.5\"\n}\nresource \"r\" \"a\" {\n  x = 1\n}\n-- a_override.tf --\n"
	for override, want := range map[string]bool{
		"resource \"r\" \"a\" {\n  x = 2\n}\n":              true,
		"terraform {\n  required_version = \">= 1.6\"\n}\n": false,
	} {
		m := mergetest.Archive(t, primary+override)
		if got := isSurelyAlike(m.Source, engine.Terraform.Newest()); got != want {
			t.Errorf("%s: %t", override, got)
		}
	}
}
