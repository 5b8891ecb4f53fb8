package cli

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// summarize says in one line which engine a module was read for, why that one, and how
// much the overrides change. Under -v the reason has been said. The line names the module
// by its prefix, if it is one of several.
func (a *app) Summarize(prefix string, mod *merge.Module, left bool, diags hcl.Diagnostics) {
	if !a.Summarizes() {
		return
	}
	name := mod.Source.Engine.String()
	if choice, err := a.Engine(mod.Source.Dir); err == nil && !a.Verbose && choice.Release.String() == name {
		name = choice.String()
	}
	if prefix = strings.TrimSuffix(prefix, "/"); prefix != "" {
		prefix = diag.Escape(prefix) + ": "
	}
	a.Tell(fmt.Sprintf("%s%s: %s", prefix, name, summary(mod, left, diags)))
}

// summary says how much the overrides of a module change.
func summary(mod *merge.Module, left bool, diags hcl.Diagnostics) string {
	files := 0
	for _, f := range mod.Source.Files {
		if f.Role == source.Override {
			files++
		}
	}
	idle := 0
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect {
			idle++
		}
	}
	switch {
	case files > 0 && left:
		return wording.Count(files, "override file") + " left out"
	case files == 0:
		return "no override files"
	}
	blocks := changing(files, wording.Count(plan.Changed(mod), "block"))
	text := wording.Count(files, "override file") + " " + blocks
	if idle > 0 {
		verb := "have"
		if idle == 1 {
			verb = "has"
		}
		text += fmt.Sprintf("; %s %s no effect", wording.Count(idle, "item"), verb)
	}
	return text
}

func changing(n int, what string) string {
	if n == 1 {
		return "changes " + what
	}
	return "change " + what
}
