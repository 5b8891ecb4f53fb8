package term

import (
	"bytes"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// narrow is a terminal of 60 columns without colours.
var narrow = screen.Screen{Palette: screen.NewPalette(false), Width: 60, IsTerminal: true}

// Each case is a module with the table of its files and its diagnostics, as they are written to a
// pipe and to a narrow terminal.
func TestModules(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		diags = append(diags, more...)
		files := report.Files(m, diags)
		texts := map[string]string{}
		for name, to := range map[string]screen.Screen{"pipe": screen.Plain(), "narrow": narrow} {
			var table, messages bytes.Buffer
			Files(&table, files, to)
			Diagnostics(&messages, diags, src, to)
			texts["files."+name], texts["diagnostics."+name] = table.String(), messages.String()
		}
		return texts
	})
}
