package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A TotalsRecord holds totals of a command's results in several modules.
type TotalsRecord struct {
	Modules       int `json:"modules"`
	WithOverrides int `json:"modules_with_overrides"`
	Changed       int `json:"changed"` // values
	Added         int `json:"added"`
	Dropped       int `json:"dropped"`
	NoEffect      int `json:"no_effect"` // overrides

	isBetween bool // the totals are of differences from a revision
}

// Add adds a module and its overrides' changes to the totals.
func (t *TotalsRecord) Add(m *merge.Module, diags hcl.Diagnostics, blocks []*changes.Block) {
	t.Modules++
	if slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Role == source.Override }) {
		t.WithOverrides++
	}
	counts := changes.Count(blocks)
	t.Changed += counts[changes.Changed]
	t.Added += counts[changes.Added]
	t.Dropped += counts[changes.Dropped]
	t.isBetween = t.isBetween || len(blocks) > 0 && blocks[0].IsBetween
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect {
			t.NoEffect++
		}
	}
}

// String words the totals for people.
func (t *TotalsRecord) String() string {
	verb := "have"
	if t.WithOverrides == 1 || t.Modules == 1 {
		verb = "has"
	}
	dropped := "dropped"
	if t.isBetween {
		dropped = "removed" // as for a single module
	}
	parts := []string{fmt.Sprintf("%d of %s %s override files", t.WithOverrides, wording.Count(t.Modules, "module"), verb)}
	var did []string
	for _, c := range []struct {
		n    int
		word string
	}{{t.Changed, "changed"}, {t.Added, "added"}, {t.Dropped, dropped}} {
		switch {
		case c.n > 0 && len(did) == 0:
			did = append(did, wording.Count(c.n, "value")+" "+c.word)
		case c.n > 0:
			did = append(did, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if len(did) > 0 {
		parts = append(parts, strings.Join(did, ", "))
	}
	switch {
	case t.NoEffect == 1:
		parts = append(parts, "1 override has no effect")
	case t.NoEffect > 1:
		parts = append(parts, wording.Count(t.NoEffect, "override")+" have no effect")
	}
	return strings.Join(parts, "; ")
}

// A SkippedRecord holds the numbers of directories that a search skipped.
type SkippedRecord struct {
	Ignored  int `json:"ignored"`
	Excluded int `json:"excluded"`
	Caches   int `json:"caches"`
	Links    int `json:"links"`
	// Submodules aren't checked out, so nothing is known of their modules.
	Submodules int `json:"submodules"`
}
