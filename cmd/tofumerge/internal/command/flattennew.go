package command

import (
	"fmt"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How flatten writes a new directory: beside it first, under another name, so that
// it is there as a whole or not at all.

func (o *flattenOptions) writeNew(mod *merge.Module, diffs []*patch.File) error {
	out := filepath.Clean(repo.In(o.ws.Base(), o.out))
	if err := writeback.CheckAside(mod.Source.Dir); err != nil {
		return err
	}
	if err := writeback.CheckNewDir(out, mod.Source.Dir, "the module"); err != nil {
		return err
	}
	err := replace.MakeDir(out, replace.Options{Warn: o.ws.Warn}, func(b *replace.Building) error {
		if err := writeback.WriteFiles(b, b.Path, mod.Source, diffs); err != nil || !o.copyRest {
			return err
		}
		others := &writeback.Rest{
			To: b, At: b.Path, From: repo.Real(mod.Source.Dir), Warn: o.ws.Warn,
			IsWritten: func(name string) bool { return writeback.TakesPart(mod.Source, name) },
		}
		return others.Copy()
	})
	if err == nil {
		o.reportLeftOut(mod)
	}
	return err
}

// reportLeftOut says what is not in the new directory, and what means something else
// there.
func (o *flattenOptions) reportLeftOut(mod *merge.Module) {
	if !o.copyRest && writeback.HasRest(mod.Source) {
		o.ws.Note(diag.Escape(o.out) + " holds only the configuration files; to copy the others, use --copy-rest")
	}
	o.warnLeftOut(mod)
	for _, place := range wording.RelativeToModule(mod, o.copyRest) {
		o.ws.Warn(place)
	}
}

// warnLeftOut warns of configuration that is not in the new directory.
func (o *flattenOptions) warnLeftOut(mod *merge.Module) {
	own := mod.Source.Engine.Product
	for _, e := range mod.Source.Names {
		switch {
		case e.Status == load.Shadowed:
			o.ws.Warn(fmt.Sprintf("%s is left out because %s shadows it for %s",
				diag.Escape(mod.Source.Prefix+e.Name), diag.Escape(e.By), own.Title()))
		case e.Status == load.Foreign && !o.copyRest:
			o.ws.Warn(fmt.Sprintf("%s is left out: %s does not read it", diag.Escape(mod.Source.Prefix+e.Name), own.Title()))
		}
	}
}
