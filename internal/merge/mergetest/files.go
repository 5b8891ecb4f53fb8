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
		Absent:      func(string) bool { return true }, // the directory has no files
	}
	for name, text := range files {
		opts.Contents[name] = []byte(text)
	}
	return opts
}

// LineFeeds returns a text with every CRLF turned into a line feed.
func LineFeeds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// A T is a test, of package testing or of package rapid.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Meaning returns what a configuration means, to compare two outputs apart from layout and comments: a line for
// each block and argument. Only the order of blocks of one type matters. It fails the test if the text can't be
// parsed.
func Meaning(t T, text string) []string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("the output can't be parsed: %s\n%s", diags, text)
	}
	return bodyMeaning([]byte(text), f.Body.(*hclsyntax.Body), "", cty.DynamicPseudoType)
}

// bodyMeaning returns the lines of Meaning for a body, each after indent. defaultType is the type by which an
// argument "default" in it is read: that of the variable around it.
func bodyMeaning(src []byte, body *hclsyntax.Body, indent string, defaultType cty.Type) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		x := body.Attributes[name].Expr
		value := strings.Join(strings.Fields(LineFeeds(string(x.Range().SliceBytes(src)))), " ")
		if name == "default" {
			value = converted(value, x, defaultType)
		}
		lines = append(lines, indent+name+" = "+value)
	}
	blocks := slices.Clone(body.Blocks)
	kind := func(b *hclsyntax.Block) string {
		if b.Type == source.DynamicBlock { // it makes blocks of its label's type
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

// declaredType returns the type that a variable block declares. For any other block, and for a type that can't be
// read, it is dynamic: any type.
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

// converted returns the text of default x, converted to the variable's type: under type = string, 1 and "1" come out
// the same. It returns text, the source of x, as it is if the type isn't primitive or x isn't constant.
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

// Patch applies a patch that tofumerge diff wrote, to files given by name, and returns all files. It understands
// only what such patches contain. It returns an error if a file lacks the lines that a hunk is about.
func Patch(files map[string]string, patch string) (map[string]string, error) {
	files = maps.Clone(files)
	header := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)
	var name string
	var old, result []string
	nextOld := 0 // index in old of the first line that isn't in result yet
	finishFile := func() {
		if name != "" {
			files[name] = strings.Join(append(result, old[nextOld:]...), "")
		}
	}
	lines := strings.SplitAfter(patch, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "--- a/"):
			finishFile()
			name = strings.TrimRight(strings.TrimPrefix(line, "--- a/"), "\t\n")
			old, result, nextOld = strings.SplitAfter(files[name], "\n"), nil, 0
			i++ // skip +++ b/...
		case strings.HasPrefix(line, "@@"):
			match := header.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if match == nil {
				return nil, fmt.Errorf("no header of a hunk: %q", line)
			}
			hunkStart, _ := strconv.Atoi(match[1])
			if match[2] != "0" { // lines count from 1; a hunk without old lines comes behind its line
				hunkStart--
			}
			result, nextOld = append(result, old[nextOld:hunkStart]...), hunkStart
		case strings.HasPrefix(line, `\`) || line == "": // handled with the line before
		default:
			text := line[1:]
			// "\ No newline at end of file"
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				text = strings.TrimSuffix(text, "\n")
			}
			if line[0] != '+' { // removed or context
				if nextOld == len(old) || old[nextOld] != text {
					return nil, fmt.Errorf("%s does not have the line %q", name, text)
				}
				nextOld++
			}
			if line[0] != '-' { // added or context
				result = append(result, text)
			}
		}
	}
	finishFile()
	return files, nil
}

// Archive loads and merges the files of a txtar archive, as the default engine does. The test fails if the engine
// refuses them.
func Archive(t testing.TB, archive string) *merge.Module {
	t.Helper()
	m, diags := ArchiveAs(t, archive, engine.Default())
	if diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	return m
}

// ArchiveAs loads and merges the files of a txtar archive as release e does, and returns the diagnostics of loading
// and merging.
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

// Dir loads and merges a directory as the default engine does. It returns an error if the engine refuses the
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

// ForModules checks a property on generated modules, each with a randomly chosen engine. On failure it logs the
// files, and rapid the seed that makes them again.
func ForModules(t *testing.T, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	ForTidyModules(t, false, property)
}

// ForTidyModules is ForModules, but with tidy, modules have no comments at places where the formatter needs more
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
