package main

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/section"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A moduleAnswer describes a module. It has the files and the findings whatever the view.
type moduleAnswer struct {
	Engine    string `json:"engine"`    // a release, such as opentofu@1.11.4
	Title     string `json:"title"`     // of the product
	Reason    string `json:"reason"`    // why this engine
	IsRefused bool   `json:"isRefused"` // by the engine
	// Elsewhere is the number of files in other directories.
	Elsewhere int                    `json:"elsewhere"`
	Files     []fileAnswer           `json:"files"`
	Findings  []report.FindingRecord `json:"findings"`
	Silenced  []report.FindingRecord `json:"silenced"`
	Effective *section.Section       `json:"effective,omitempty"`
	Changes   *changesAnswer         `json:"changes,omitempty"`
}

// A fileAnswer is a file of the module's directory and its part in the module.
type fileAnswer struct {
	Name string `json:"name"`
	Role string `json:"role"` // primary, override, none, or the role of a side file
	Note string `json:"note,omitempty"`
}

// A changesAnswer lists the changes of the overrides, block by block.
type changesAnswer struct {
	Blocks []changedBlock `json:"blocks"`
	Count  string         `json:"count"`          // in words
	Left   string         `json:"left,omitempty"` // how much is not listed
}

type changedBlock struct {
	Address string       `json:"address"`
	Note    string       `json:"note,omitempty"`
	Lines   []changeLine `json:"lines"`
}

// A changeLine is a report.ChangeLine.
type changeLine struct {
	Kind  string       `json:"kind"` // changed, added, dropped or group
	Depth int          `json:"depth"`
	Name  string       `json:"name"`
	Value string       `json:"value"`
	By    string       `json:"by,omitempty"`
	Below []changeLine `json:"below,omitempty"`
}

// An explanation is what explain prints for a position; without Text nothing is there.
type explanation struct {
	Text string `json:"text"`
}

const (
	// maxText is roughly how many bytes of text a view has: more of it would only be scrolled past.
	maxText = 1_000_000
	// maxLines is how many lines of changes are listed.
	maxLines = 3000
)

// records are findings that name files as the module does.
func records(a *analysis, found []check.Finding) []report.FindingRecord {
	return append([]report.FindingRecord{}, report.Findings(a.merged.Source, "", found)...)
}

func (a *analysis) roleOf(name string) fileAnswer {
	f := fileAnswer{Name: name, Role: "none"}
	if own := a.merged.Source.File(name); own != nil {
		f.Role = "primary"
		if own.Role == source.Override {
			f.Role = "override"
		}
		return f
	}
	for _, e := range a.merged.Source.Names {
		if e.Name == name {
			f.Note = whyUnread(e, a.merged.Source)
			return f
		}
	}
	for _, s := range a.beside {
		if s.Name == name {
			f.Role = string(s.Role)
			return f
		}
	}
	if name == policy.FileName {
		f.Role = "settings"
	}
	return f
}

// whyUnread explains why a name that resembles configuration is not read.
func whyUnread(e load.DirEntry, m *load.Module) string {
	switch {
	case e.Status == load.Shadowed:
		return diag.Escape(e.By) + " shadows it"
	case e.Meant != "":
		return "not read; to make it an override file, rename it to " + diag.Escape(e.Meant)
	}
	return m.Engine.Product.Title() + " doesn't read it"
}

// changes lists the changes as the command changes prints them.
func (a *analysis) changes() *changesAnswer {
	m := report.ModuleChanges{
		Redact: wording.NewRedactor(a.merged.Source, false), Outranked: a.layers.Outranked(), Blocks: changes.Of(a.merged),
	}
	all := &changesAnswer{Blocks: []changedBlock{}, Count: m.Count()}
	lines, left := 0, 0
	for _, b := range m.Blocks {
		if lines >= maxLines {
			left++
			continue
		}
		block := changedBlock{Address: b.Address.String(), Note: report.BlockNote(b), Lines: []changeLine{}}
		for l := range m.GroupedLines(b) {
			if lines++; lines > maxLines {
				left++
				break
			}
			line := changeLine{Kind: l.Kind.String(), Depth: l.Depth, Name: l.Name, Value: l.Value, By: l.By}
			if l.IsGroup {
				line.Kind = "group"
			}
			for _, below := range l.Below {
				line.Below = append(line.Below, changeLine{Kind: below.Kind.String(), Value: below.Text})
			}
			block.Lines = append(block.Lines, line)
		}
		all.Blocks = append(all.Blocks, block)
	}
	if left > 0 {
		all.Left = "The changes of " + wording.Count(left, "block") + " are not listed, or not all of them."
	}
	return all
}

// explain explains the argument or the block at a position, as the command explain does.
func (a *analysis) explain(p position, columns int) *explanation {
	f := a.merged.Source.File(path.Base(p.File))
	// Nothing is known of the contents of a file that can't be parsed.
	isAnyBroken := slices.ContainsFunc(a.merged.Source.Files, func(f *source.File) bool { return f.Broken })
	if f == nil || path.Dir(path.Clean(p.File)) != a.dir || a.diags.HasErrors() && isAnyBroken {
		return &explanation{}
	}
	offset, _ := textedit.Offset(f.Raw, p.Line, p.Column)
	if offset < 0 {
		return &explanation{}
	}
	it := f.ItemAt(offset)
	if it == nil {
		return &explanation{}
	}
	targets := lookup.OfItem(a.merged, it)
	if len(targets) == 0 {
		return &explanation{}
	}
	concern := lookup.NewConcern(targets)
	if slices.ContainsFunc(a.diags, func(d *hcl.Diagnostic) bool { return diag.IsError(d) && concern.IsAbout(d) }) {
		return &explanation{Text: a.merged.Source.Engine.Product.Title() + " refuses this. See the findings of check."}
	}
	to := screen.Plain()
	if columns > 0 {
		to.Width, to.IsTerminal = columns, true
	}
	var out strings.Builder
	x := term.Explain(a.merged, to, term.ExplainOptions{Layers: a.layers})
	if err := x.Write(&out, targets); err != nil {
		panic(err) // a builder takes everything
	}
	return &explanation{Text: out.String()}
}
