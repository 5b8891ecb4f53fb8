package editor

import (
	"bytes"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// While someone types, the current line often can't be parsed, and so nothing would be known
// about its file. What editors show beside the text then comes from the module without the
// line.

// maxBlanked is the maximum number of lines to leave out of a module.
const maxBlanked = 3

// withoutBroken returns the view of a module without the lines of its open files that can't be
// parsed; nil if leaving them out isn't enough.
func (n *Analyst) withoutBroken(in *gate.Inspection, r view.Request) *view.View {
	opts, mod, diags := in.Options, in.Module, in.Diags
	opts.Contents, opts.Read = maps.Clone(r.Open), n.files.Read
	for range maxBlanked {
		at := syntaxError(mod.Source, diags, opts.Contents)
		if at == nil {
			break
		}
		text, ok := blanked(opts.Contents[at.Filename], at.Start.Line)
		if !ok {
			return nil
		}
		opts.Contents[at.Filename] = text
		src, loaded, err := load.Dir(r.Dir, opts)
		if err != nil {
			return nil
		}
		mod, diags = merge.Files(src, merge.Options{})
		diags = append(loaded, diags...)
	}
	if syntaxError(mod.Source, diags, opts.Contents) != nil {
		return nil
	}
	return &view.View{Dir: r.Dir, Merged: mod, Diags: diags}
}

// syntaxError is the range of the first error in an open native file that can't be parsed, or nil.
func syntaxError(m *load.Module, diags hcl.Diagnostics, open map[string][]byte) *hcl.Range {
	for _, d := range diags {
		if d.Severity != hcl.DiagError || d.Subject == nil || open[d.Subject.Filename] == nil {
			continue
		}
		if f := m.File(d.Subject.Filename); f != nil && f.Broken && f.Syntax == source.Native {
			return d.Subject
		}
	}
	return nil
}

// blanked returns a copy of a text with a line replaced by blanks, which keeps the positions of
// all other lines. It reports false if the line is blank already, or begins or ends something:
// without it, other lines would mean something else.
func blanked(text []byte, line int) ([]byte, bool) {
	start := 0
	for range line - 1 {
		next := bytes.IndexByte(text[start:], '\n')
		if next < 0 {
			return nil, false
		}
		start += next + 1
	}
	end := len(text)
	if next := bytes.IndexByte(text[start:], '\n'); next >= 0 {
		end = start + next
	}
	content := bytes.TrimRight(text[start:end], "\r")
	if len(bytes.TrimSpace(content)) == 0 || bytes.ContainsAny(content, "{}[]()") || bytes.Contains(content, []byte("<<")) ||
		bytes.Contains(content, []byte("*/")) || bytes.Contains(content, []byte("/*")) {
		return nil, false
	}
	out := bytes.Clone(text)
	for i := range content {
		out[start+i] = ' '
	}
	return out, true
}
