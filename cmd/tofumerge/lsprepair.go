package main

import (
	"bytes"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// While people type, the line that they are at often can't be parsed, and nothing would be
// known of its file. What is shown beside the text then is that of a module without the line.

// maxBlanked is how many lines are left out of a module at most.
const maxBlanked = 3

// withoutBroken is the view of a module without the lines of its open files that can't be
// parsed; nil where more than such lines is wrong.
func (n *analyst) withoutBroken(in *inspection, r view.Request) *view.View {
	opts, mod, diags := in.opts, in.mod, in.diags
	opts.Contents, opts.Read = maps.Clone(r.Open), n.files.ReadFile
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

// syntaxError is the place of the first error of the first open file that can't be parsed, or
// nil where there is no such file.
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

// blanked is a text with blanks in the place of a line, so that the others stay where they
// are. A line that begins or ends something is not left out: the others would mean something
// else.
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
