package report_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Changed values of variables are totalled beside the changes of blocks.
func TestValueCount(t *testing.T) {
	side := &layers.ValueSide{}
	list := []layers.ValueChange{{Name: "a", Before: side, After: side}, {Name: "b", Before: side}, {Name: "c", After: side}, {Name: "d", Before: side, After: side}}
	got := report.ModuleChanges{Against: "main", Values: list}.Count()
	if want := "Values of variables: 2 changed, 1 added, 1 removed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
