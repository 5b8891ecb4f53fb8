package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/toolcomment"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// carry has the comments for tools come along to the files of a module.
func (f *flattener) carry(m *workspace.Module, flat *flatModule) {
	words := slices.Concat(toolcomment.Known, f.ws.Settings.ToolComments(m.Source.Dir))
	flat.diffs, flat.carried = toolcomment.Carry(m.Module, flat.diffs, words)
}

// noteCarried lists those comments: they may now silence findings in what primary files have.
func (f *flattener) noteCarried(m *workspace.Module, flat flatModule) {
	if len(flat.carried) == 0 || f.ws.Quiet {
		return
	}
	const most = 10
	var list []string
	for _, c := range flat.carried[:min(most, len(flat.carried))] {
		list = append(list, fmt.Sprintf("%s:%d (%s)", diag.Escape(f.ws.Prefix(m.Source.Dir)+c.File), c.Line, c.Address))
	}
	text := strings.Join(list, ", ")
	if more := len(flat.carried) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more, which flatten --source-map lists", more)
	}
	f.ws.Note(fmt.Sprintf("Note: %s of override files may silence tools for whole blocks and arguments now: %s",
		wording.Count(len(flat.carried), "comment"), text))
}
