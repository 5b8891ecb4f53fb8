package extract_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// TestExtract has a case for each way to edit a module: the files of BASE and of EDITED, the
// resulting override, and the remaining differences.
func TestExtract(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		base, edited := sides(c.Files)
		o := extract.Options{}
		flags := string(c.Files["flags"])
		if strings.Contains(flags, "--new-file") {
			o.NewFile = "extra.tf"
		}
		for _, name := range []string{"z_override.tf.json", "z_override.tofu"} {
			if strings.Contains(flags, name) {
				o.Name = name
			}
		}
		r, err := find(base, edited, c.Engine, o)
		if err != nil {
			return map[string]string{"error": errorText(err)}
		}
		got := map[string]string{"left": leftOf(r), "warnings": loadtest.Messages(r.Diags)}
		for name, text := range r.Texts {
			got[name] = string(text)
		}
		return got
	})
}

// sides splits the files of a case.
func sides(files map[string][]byte) (base, edited map[string]string) {
	base, edited = map[string]string{}, map[string]string{}
	for name, text := range files {
		if own, ok := strings.CutPrefix(name, "base/"); ok {
			base[own] = string(text)
		}
		if own, ok := strings.CutPrefix(name, "edited/"); ok {
			edited[own] = string(text)
		}
	}
	return base, edited
}

// find extracts from files. Override files of EDITED replace those of BASE.
func find(base, edited map[string]string, e engine.Release, o extract.Options) (*extract.Result, error) {
	earlier := map[string]string{}
	for name, text := range extract.Earlier(inBytes(base), inBytes(edited)) {
		earlier[name] = string(text)
	}
	return findFrom(earlier, edited, e, o)
}

// findFrom extracts from files; those of BASE include all override files.
func findFrom(earlier, edited map[string]string, e engine.Release, o extract.Options) (*extract.Result, error) {
	dir := func(files map[string]string) (*load.Module, hcl.Diagnostics, error) {
		return load.Dir(".", mergetest.InMemory(files, e))
	}
	first, diags, err := dir(earlier)
	if err != nil || diags.HasErrors() {
		return nil, errors.Join(err, failure(diags))
	}
	last, diags, err := dir(edited)
	if err != nil || diags.HasErrors() {
		return nil, errors.Join(err, failure(diags))
	}
	if o.Name == "" {
		var names []string
		for name := range earlier {
			names = append(names, name)
		}
		slices.Sort(names)
		o.Name = extract.LastName(names, ".tf", e)
	}
	if o.Write == nil {
		o.Write = func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
			return rewrite.Made(last, name, parts)
		}
	}
	o.Load = func(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
		all := map[string]string{}
		for name, text := range earlier {
			all[name] = text
		}
		for name, text := range more {
			all[name] = string(text)
		}
		return dir(all)
	}
	return extract.Find(first, last, o)
}

func inBytes(files map[string]string) map[string][]byte {
	list := map[string][]byte{}
	for name, text := range files {
		list[name] = []byte(text)
	}
	return list
}

func failure(diags hcl.Diagnostics) error {
	if !diags.HasErrors() {
		return nil
	}
	return diags
}

func errorText(err error) string {
	var refused *extract.RefusedError
	if errors.As(err, &refused) {
		return []string{"BASE", "EDITED", "merged"}[refused.Of] + "\n" + loadtest.Messages(refused.Diags)
	}
	return err.Error()
}

func leftOf(r *extract.Result) string {
	var out strings.Builder
	for _, l := range r.Left {
		at := source.Where(l.Item())
		kind := []string{"changed", "added", "removed"}[l.Kind]
		if l.CanBeNull {
			kind = "removed, can be null:"
		}
		fmt.Fprintf(&out, "%s:%d: %s %s: %s\n", at.Filename, at.Start.Line, kind, l.Address, l.Why())
	}
	return out.String()
}
