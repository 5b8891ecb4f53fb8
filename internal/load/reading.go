package load

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// read reads a file, which is marked broken until it has been understood.
func (l *loader) read(f *source.File) hcl.Diagnostics {
	f.Broken = true
	if f.Raw == nil {
		src, err := l.readFile(f)
		if err != nil {
			return hcl.Diagnostics{unreadable(f, err)}
		}
		f.Raw = src
	}
	l.count(f)
	f.LineEnd = textedit.LineEndOf(f.Raw)
	return nil
}

// count adds the size of a file to the total of what was read.
func (l *loader) count(f *source.File) {
	if l.opts.Sized == nil {
		return
	}
	if f.Syntax == source.JSON {
		l.jsonRead.Add(int64(len(f.Raw)))
	} else {
		l.nativeRead.Add(int64(len(f.Raw)))
	}
	l.opts.Sized(l.nativeRead.Load(), l.jsonRead.Load())
}

// readJSON reads a JSON file as far as which blocks it holds.
func (l *loader) readJSON(f *source.File) hcl.Diagnostics {
	if diags := l.read(f); diags.HasErrors() {
		return diags
	}
	seen, ambiguous := jsonsyntax.Evidence{}, jsonsyntax.Ambiguous{}
	if diags := jsonsyntax.Read(f, seen, ambiguous); diags.HasErrors() {
		return diags
	}
	l.note(f, seen, ambiguous)
	return nil
}
