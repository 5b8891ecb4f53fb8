package editor

import (
	"fmt"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// detailSettings control how much editors show beside the text: a level, and a switch for each part
// that overrides the level.
type detailSettings struct {
	Detail       string `json:"detail"` // quiet, normal or full; empty means normal
	DroppedHints *bool  `json:"droppedHints"`
	AddedHints   *bool  `json:"addedHints"`
	Counts       *bool  `json:"counts"`
	Fade         *bool  `json:"fade"`
	Symbols      *bool  `json:"symbols"`
	// ListsHints is false for an editor that lists no hints and fades out what they are about, with the
	// inlay hints in between.
	ListsHints *bool `json:"listsHints"`
}

func (s *detailSettings) checkDetail() error {
	switch s.Detail {
	case "", "quiet", "normal", "full":
		return nil
	}
	return fmt.Errorf("detail takes quiet, normal or full, not %q", s.Detail)
}

// hidden are the parts that are left out. Editors that list hints beside errors get those that fade
// out text only at the level full.
func (s *detailSettings) hidden() view.Detail {
	isQuiet := s.Detail == "quiet"
	hides := func(part *bool, byLevel bool) bool {
		if part != nil {
			return !*part
		}
		return byLevel
	}
	listsHints := s.ListsHints == nil || *s.ListsHints
	return view.Detail{
		HidesDropped: hides(s.DroppedHints, isQuiet),
		HidesAdded:   hides(s.AddedHints, isQuiet),
		HidesCounts:  hides(s.Counts, isQuiet),
		HidesFades:   hides(s.Fade, isQuiet || s.Detail != "full" && listsHints),
		HidesSymbols: hides(s.Symbols, false),
		FadesLines:   !listsHints,
	}
}
