package term

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// mostFiles is how many files of one role are listed for people.
const mostFiles = 10

// OtherFiles writes, below the table of files, the other files that the engine loads; nothing if
// there are none.
func OtherFiles(w io.Writer, files []report.OtherFileRecord, e engine.Release, to screen.Screen) error {
	if len(files) == 0 {
		return nil
	}
	shown, left := someFiles(files)
	table := &screen.Table{Columns: []screen.Column{{Width: roleWidth, Min: roleWidth}, {Middle: true}}}
	name := &table.Columns[1]
	for _, f := range shown {
		name.Width = max(name.Width, len(diag.Escape(f.Filename)))
	}
	name.Min = shortestName(name.Width)
	for _, f := range shown {
		table.Rows = append(table.Rows, []screen.Cell{
			{Text: pad(otherRole(f), roleWidth), Color: to.Dim},
			{Text: diag.Escape(f.Filename), Color: to.Place},
			{Text: noteOnOther(f)},
		})
	}
	out := &strings.Builder{}
	out.WriteString("\nNever merged:\n")
	layout := to.Layout(table)
	for i, f := range shown {
		layout.WriteRow(out, table.Rows[i])
		writeProviders(out, f, e.Product, to)
		writeVariables(out, f.Variables, to)
		if n := left[f.Role]; n > 0 && (i == len(shown)-1 || shown[i+1].Role != f.Role) {
			fmt.Fprintf(out, "%s  … %d more\n", strings.Repeat(" ", roleWidth), n)
		}
	}
	return safetext.WriteText(w, out.String())
}

// someFiles are the first files of each role, and how many others there are.
func someFiles(files []report.OtherFileRecord) (shown []report.OtherFileRecord, left map[sidefiles.Role]int) {
	counts, left := map[sidefiles.Role]int{}, map[sidefiles.Role]int{}
	for _, f := range files {
		if counts[f.Role]++; counts[f.Role] > mostFiles {
			left[f.Role]++
			continue
		}
		shown = append(shown, f)
	}
	return shown, left
}

// otherRole words the role of a file.
func otherRole(f report.OtherFileRecord) string {
	word := string(f.Role)
	switch {
	case f.Status == sidefiles.Shadowed || f.Status == sidefiles.Unread:
		return strings.ReplaceAll(string(f.Status), "_", " ")
	case f.Role == sidefiles.TestVariables:
		word = string(sidefiles.Variables)
	case f.Role == sidefiles.Lock:
		word = "lock file"
	}
	if f.Order > 0 {
		word = fmt.Sprintf("%s %d", word, f.Order)
	}
	return word
}

// noteOnOther describes in a few words when a file is loaded, or its contents.
func noteOnOther(f report.OtherFileRecord) string {
	switch {
	case f.Broken:
		return "can't be read or parsed"
	case f.Status == sidefiles.Shadowed:
		return "by " + wording.FileName(path.Base(f.ShadowedBy))
	case f.Status == sidefiles.Unread:
		return "by " + f.ReadBy + " only"
	case f.Role == sidefiles.Mock:
		return fmt.Sprintf("only if a %s in a test names its directory", f.Needs)
	case f.Status == sidefiles.OnRequest:
		return "only with " + f.Needs
	case f.Role == sidefiles.TestVariables:
		return "in tests only"
	case f.Role == sidefiles.Lock:
		return lockTotals(f.Providers)
	}
	return ""
}

// lockTotals words how many providers are in a lock file, and how many don't fit.
func lockTotals(list []report.ProviderRecord) string {
	locked := 0
	counts := map[providers.Status]int{}
	for _, p := range list {
		counts[p.Status]++
		if p.Status != providers.NotLocked {
			locked++
		}
	}
	words := []string{wording.Count(locked, "provider")}
	for _, s := range []providers.Status{providers.NotMet, providers.Undecided, providers.NotLocked, providers.NotRequired} {
		if counts[s] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[s], statusWords(s)))
		}
	}
	return strings.Join(words, ", ")
}

func statusWords(s providers.Status) string { return strings.ReplaceAll(string(s), "_", " ") }
