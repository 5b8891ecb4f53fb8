package editor

import (
	"encoding/json"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// A level applies if no switch decides.
func TestDetail(t *testing.T) {
	for settings, want := range map[string]view.Detail{
		`{}`:                                {HidesFades: true},
		`{"listsHints": false}`:             {FadesLines: true},
		`{"detail": "full"}`:                {},
		`{"detail": "full", "fade": false}`: {HidesFades: true},
		`{"detail": "quiet", "listsHints": false}`: {HidesDropped: true, HidesAdded: true, HidesCounts: true, HidesFades: true, FadesLines: true},
		`{"detail": "quiet", "addedHints": true}`:  {HidesDropped: true, HidesCounts: true, HidesFades: true},
		`{"counts": false}`:                        {HidesCounts: true, HidesFades: true},
	} {
		var s Settings
		if err := json.Unmarshal([]byte(settings), &s); err != nil {
			t.Fatal(err)
		}
		if got := s.hidden(); got != want {
			t.Errorf("%s hides %+v, want %+v", settings, got, want)
		}
	}
	if err := (&detailSettings{Detail: "loud"}).checkDetail(); err == nil {
		t.Error("detail takes any word")
	}
}
