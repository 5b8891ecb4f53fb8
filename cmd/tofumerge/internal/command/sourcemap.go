package command

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A mapFile is the file of --source-map on its way.
type mapFile struct {
	to  *writeback.Output
	doc sourcemap.Document
}

// openMap finds the file that --source-map names, before anything is read.
func openMap(ws *workspace.Workspace, name string) (*mapFile, error) {
	to, err := ws.OpenOutput("--source-map", name)
	if err != nil {
		return nil, err
	}
	return &mapFile{to: to, doc: sourcemap.Document{Format: sourcemap.Format, Modules: []sourcemap.Module{}}}, nil
}

// add adds the map of a module whose flattened files go to a directory.
func (f *mapFile) add(m *workspace.Module, to string, flat flatModule) {
	f.doc.Modules = append(f.doc.Modules, sourcemap.Module{
		Directory: m.Dir, Flattened: filepath.ToSlash(to), Files: flat.lines(), Originals: sourcemap.OriginalsOf(m.Source),
		Comments: flat.carried,
	})
}

func (f *mapFile) write(warn func(string)) error {
	var text bytes.Buffer
	if err := f.doc.Write(&text); err != nil {
		return err
	}
	return f.to.Write(text.Bytes(), warn)
}

// readMap reads the file that --source-map names.
func readMap(ws *workspace.Workspace, name string) (*sourcemap.Document, error) {
	text, err := input.Read(repo.In(ws.Base(), name), ws.MaxFileSize)
	if err != nil {
		return nil, fmt.Errorf("can't read --source-map %s: %w", diag.Escape(name), input.StripPath(err))
	}
	doc, err := sourcemap.Read(text)
	if err != nil {
		return nil, fmt.Errorf("can't read --source-map %s: %w", diag.Escape(name), err)
	}
	return doc, nil
}

func lookUpOne(out *bytes.Buffer, doc *sourcemap.Document, arg string) error {
	p, ok := placeIn(arg)
	if !ok {
		return fmt.Errorf("%s is not a line of a flattened file; write FILE:LINE, or leave --source-map out", diag.Escape(arg))
	}
	modules, files := doc.Find(filepath.ToSlash(p.name))
	if len(files) == 0 {
		return fmt.Errorf("the source map has no file %s; name a file that flatten wrote", diag.Escape(p.name))
	}
	if len(files) > 1 {
		var names []string
		for i, m := range modules {
			names = append(names, diag.Escape(filepath.ToSlash(filepath.Join(m.Flattened, files[i].Name))))
		}
		return fmt.Errorf("%s may be %s; name one of them", diag.Escape(p.name), wording.Some(names, ", "))
	}
	at, ok := files[0].At(p.line)
	if !ok {
		return fmt.Errorf("%s has %s, and no line %d", diag.Escape(p.name), wording.Count(files[0].Lines, "line"), p.line)
	}
	for _, origin := range at.Origins {
		fmt.Fprintf(out, "%s:%d", diag.Escape(filepath.ToSlash(filepath.Join(modules[0].Directory, origin.File))), origin.Line)
		if at.Approximate {
			out.WriteString(" (approximate)")
		}
		out.WriteString("\n")
	}
	return nil
}
