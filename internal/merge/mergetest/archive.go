package mergetest

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"golang.org/x/tools/txtar"
)

// Archive loads and merges the files of an archive as the default engine does. The test fails if
// the engine refuses them.
func Archive(t testing.TB, archive string) *merge.Module {
	t.Helper()
	m, diags := ArchiveAs(t, archive, engine.Default())
	if diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	return m
}

// ArchiveAs loads and merges the files of an archive as a release does, even if that refuses them.
func ArchiveAs(t testing.TB, archive string, e engine.Release) (*merge.Module, hcl.Diagnostics) {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = f.Data
	}
	src, diags := loadtest.Files(t, files, load.Options{Engine: e})
	m, more := merge.Files(src, merge.Options{})
	return m, append(diags, more...)
}
