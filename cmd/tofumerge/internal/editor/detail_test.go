package editor_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// A level applies if no switch decides.
func TestDetail(t *testing.T) {
	dir := clitest.Write(t, map[string]string{"main.tf": "locals {}\n"})
	for settings, want := range map[string]view.Detail{
		`{}`:                                {HidesFades: true},
		`{"listsHints": false}`:             {FadesLines: true},
		`{"detail": "full"}`:                {},
		`{"detail": "full", "fade": false}`: {HidesFades: true},
		`{"detail": "quiet", "listsHints": false}`: {HidesDropped: true, HidesAdded: true, HidesCounts: true, HidesFades: true, FadesLines: true},
		`{"detail": "quiet", "addedHints": true}`:  {HidesDropped: true, HidesCounts: true, HidesFades: true},
		`{"counts": false}`:                        {HidesCounts: true, HidesFades: true},
	} {
		n, err := newTestAnalyst(t).With([]byte(settings))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := n.Analyse(t.Context(), view.Request{Dir: dir}); err != nil || v.Detail != want {
			t.Errorf("%s: %+v, %v, want %+v", settings, v, err, want)
		}
	}
	if _, err := newTestAnalyst(t).With([]byte(`{"detail": "loud"}`)); err == nil {
		t.Error("detail takes any word")
	}
}
