// Package mergetest checks properties of merging on modules that are made from seeds.
//
// ForModules makes them, with an engine that reads them; InMemory has them loaded without a
// directory. Meaning is the meaning of a printed configuration, and Patch applies the output of
// "tofumerge diff". Only tests import the package.
package mergetest

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// Tests read many small modules and drop each at once: collecting garbage less often saves a fifth of their time.
// A process that is measured has GOGC set.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// IsOverride reports whether a file of a generated module is an override file.
func IsOverride(name string) bool { return strings.Contains(name, "_override") }

// Primary returns the primary files of a generated module, by name.
func Primary(files map[string]string) map[string]string {
	primary := map[string]string{}
	for name, text := range files {
		if !IsOverride(name) {
			primary[name] = text
		}
	}
	return primary
}

// Overrides lists the names of the override files of a generated module, in load order.
func Overrides(files map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return !IsOverride(name) })
}

// InMemory returns options with which load.Dir reads these files instead of a directory's, as engine e does.
func InMemory(files map[string]string, e engine.Release) load.Options {
	opts := load.Options{
		Engine:      e,
		MaxFileSize: input.MaxFileSize,
		Contents:    map[string][]byte{},
		Absent:      func(string) bool { return true },
	}
	for name, text := range files {
		opts.Contents[name] = []byte(text)
	}
	return opts
}

// LineFeeds returns a text whose lines end in line feeds only.
func LineFeeds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// A T is a test, of package testing or of package rapid.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Meaning returns a configuration without its layout and comments: a line for each block and
// argument. Only the order of blocks of one type matters. It fails the test if the text does not
// parse.
func Meaning(t T, text string) []string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("the output can't be parsed: %s\n%s", diags, text)
	}
	return bodyMeaning([]byte(text), f.Body.(*hclsyntax.Body), "", cty.DynamicPseudoType)
}

// bodyMeaning returns the lines of Meaning for a body. An argument "default" in it is read as type defaults.
func bodyMeaning(src []byte, body *hclsyntax.Body, indent string, defaults cty.Type) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		x := body.Attributes[name].Expr
		value := strings.Join(strings.Fields(LineFeeds(string(x.Range().SliceBytes(src)))), " ")
		if name == "default" {
			value = converted(value, x, defaults)
		}
		lines = append(lines, indent+name+" = "+value)
	}
	blocks := slices.Clone(body.Blocks)
	kind := func(b *hclsyntax.Block) string {
		if b.Type == source.DynamicBlock {
			return b.Labels[0]
		}
		return b.Type
	}
	slices.SortStableFunc(blocks, func(a, b *hclsyntax.Block) int { return strings.Compare(kind(a), kind(b)) })
	for _, b := range blocks {
		lines = append(lines, indent+b.Type+" "+strings.Join(b.Labels, " "))
		lines = append(lines, bodyMeaning(src, b.Body, indent+"  ", declaredType(b))...)
	}
	return lines
}

// declaredType returns the type that a variable's block declares; dynamic for other blocks, and for a type
// that can't be read.
func declaredType(b *hclsyntax.Block) cty.Type {
	a := b.Body.Attributes["type"]
	if b.Type != "variable" || a == nil {
		return cty.DynamicPseudoType
	}
	t, _, diags := typeexpr.TypeConstraintWithDefaults(a.Expr)
	if diags.HasErrors() {
		return cty.DynamicPseudoType
	}
	return t
}

// converted writes a default as its variable's type reads it: under type = string, 1 and "1" come out the
// same. text is the source of x, and stays for any other type.
func converted(text string, x hcl.Expression, t cty.Type) string {
	v, diags := x.Value(nil)
	if diags.HasErrors() || !t.IsPrimitiveType() {
		return text
	}
	if v, err := convert.Convert(v, t); err == nil {
		return string(hclwrite.TokensForValue(v).Bytes())
	}
	return text
}

// Patch applies a patch to files, given by name, and returns all files. It knows only what this program's
// patches contain. It returns an error if a file lacks the lines that a hunk is about.
func Patch(files map[string]string, patch string) (map[string]string, error) {
	files = maps.Clone(files)
	header := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)
	var name string
	var old, out []string
	at := 0
	flush := func() {
		if name != "" {
			files[name] = strings.Join(append(out, old[at:]...), "")
		}
	}
	lines := strings.SplitAfter(patch, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "--- a/"):
			flush()
			name = strings.TrimRight(strings.TrimPrefix(line, "--- a/"), "\t\n")
			old, out, at = strings.SplitAfter(files[name], "\n"), nil, 0
			i++
		case strings.HasPrefix(line, "@@"):
			m := header.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				return nil, fmt.Errorf("no header of a hunk: %q", line)
			}
			from, _ := strconv.Atoi(m[1])
			if m[2] != "0" {
				from--
			}
			out, at = append(out, old[at:from]...), from
		case strings.HasPrefix(line, `\`) || line == "":
		default:
			text := line[1:]
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				text = strings.TrimSuffix(text, "\n")
			}
			if line[0] != '+' {
				if at == len(old) || old[at] != text {
					return nil, fmt.Errorf("%s does not have the line %q", name, text)
				}
				at++
			}
			if line[0] != '-' {
				out = append(out, text)
			}
		}
	}
	flush()
	return files, nil
}

// Archive loads and merges the files of a txtar archive as the default engine does. The test fails if that
// refuses them.
func Archive(t testing.TB, archive string) *merge.Module {
	t.Helper()
	m, diags := ArchiveAs(t, archive, engine.Default())
	if diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	return m
}

// ArchiveAs loads and merges the files of a txtar archive as a release does, and returns the diagnostics of
// both.
func ArchiveAs(t testing.TB, archive string, e engine.Release) (*merge.Module, hcl.Diagnostics) {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = f.Data
	}
	src, diags := loadtest.Files(t, files, load.Options{Engine: e})
	m, more := merge.Files(src, merge.Options{})
	return m, append(diags, more...)
}

// Dir loads and merges a directory as the default engine does. It returns an error if that refuses the
// module.
func Dir(dir string) (*merge.Module, error) {
	m, diags, err := merge.Dir(dir, load.Options{}, merge.Options{})
	if err == nil && diags.HasErrors() {
		err = diags
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ForModules runs a property on generated modules, each with an engine. A failure shows the files, and the
// seed that makes them again.
func ForModules(t *testing.T, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	ForTidyModules(t, false, property)
}

// ForTidyModules is ForModules, but if tidy is set, modules have no comments where the formatter needs more
// than one pass.
func ForTidyModules(t *testing.T, tidy bool, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	rapid.Check(t, func(t *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(t, "seed"))
		g.Tidy, g.Engine = tidy, loadtest.DrawEngine(t)
		files := g.Module()
		defer func() {
			if t.Failed() {
				for _, name := range slices.Sorted(maps.Keys(files)) {
					t.Logf("-- %s --\n%s", name, files[name])
				}
			}
		}()
		property(t, files, g.Engine)
	})
}
