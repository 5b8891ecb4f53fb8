package cli

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const architecture = "../../../../ARCHITECTURE.md"

// layers hold all packages, in the order in which data passes through them. Each may import those
// before it, and none behind it.
var layers = []string{"internal/load", "internal/merge", "internal/render", "cmd/tofumerge"}

// A goPackage is a package of the program.
type goPackage struct {
	path    string // from the top of the repository
	about   string // the first sentence of its doc
	imports []string
	lines   int // of code: neither blank nor comments
	// knowsCommands is set if it imports the library of commands.
	knowsCommands bool
}

// packages are the packages of the program by their paths.
func packages(t *testing.T) map[string]*goPackage {
	t.Helper()
	const module = "github.com/tofumerge/tofumerge/"
	all := map[string]*goPackage{}
	for name, file := range sourceFiles(t) {
		r := all[path.Dir(name)]
		if r == nil {
			r = &goPackage{path: path.Dir(name)}
			all[r.path] = r
		}
		r.lines += codeLines(t, name)
		if file.Doc != nil {
			r.about = strings.TrimPrefix(new(doc.Package).Synopsis(file.Doc.Text()), "Package "+file.Name.Name+" ")
		}
		for _, i := range file.Imports {
			r.knowsCommands = r.knowsCommands || strings.Contains(i.Path.Value, "spf13/cobra")
			if inner, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); ok && !slices.Contains(r.imports, inner) {
				r.imports = append(r.imports, inner)
			}
		}
	}
	return all
}

// layerOf is the index of the layer that a package is in, or -1.
func layerOf(p string) int {
	return slices.IndexFunc(layers, func(h string) bool { return p == h || strings.HasPrefix(p, h+"/") })
}

// TestLayers fails if a package lies beside the layers, imports one of a later layer, or has no
// doc.
func TestLayers(t *testing.T) {
	for p, r := range packages(t) {
		if layerOf(p) < 0 {
			t.Errorf("%s lies beside %s", p, strings.Join(layers, ", "))
		}
		if r.about == "" && p != "cmd/tofumerge" {
			t.Errorf("%s has no package doc", p)
		}
		for _, i := range r.imports {
			if layerOf(i) > layerOf(p) && i != "cmd/tofumerge" {
				t.Errorf("%s imports %s, which comes behind it", p, i)
			}
		}
	}
}

// satellites are packages that printing a merged module gets along without.
var satellites = strings.Fields(`merge/changes merge/check merge/compare merge/deny merge/extract merge/lookup
	render/fix
	render/patch render/report render/rewrite render/section render/sourcemap render/term render/webpage`)

// maxCore is how many lines of code may be in what internal/render reaches.
const maxCore = 25_950

// TestCore fails if printing a merged module, as HCL or JSON and with marks, takes more than the core.
func TestCore(t *testing.T) {
	all, lines, reached := packages(t), 0, map[string]bool{}
	var reach func(p, by string)
	reach = func(p, by string) {
		if slices.Contains(satellites, strings.TrimPrefix(p, "internal/")) {
			t.Errorf("%s imports %s, which isn't in the core", by, p)
		}
		if reached[p] {
			return
		}
		reached[p], lines = true, lines+all[p].lines
		for _, i := range all[p].imports {
			reach(i, p)
		}
	}
	reach("internal/render", "")
	for _, name := range satellites {
		if all["internal/"+name] == nil {
			t.Errorf("there is no package %s", name)
		}
	}
	if lines > maxCore || lines < maxCore-250 {
		t.Errorf("internal/render reaches %d packages with %d lines of code, and maxCore is %d", len(reached), lines, maxCore)
	}
}

// floors are the packages of the last layer, each above those that it may
// import. Those on one line know nothing of each other.
var floors = []string{
	"process stack repo terminal gitrev replace enginechoice relocate",
	"clitest discover policy writeback",
	"mirror playground",
	"workspace",
	"gate",
	"langserver/protocol langserver/lsptest",
	"langserver/view",
	"langserver/feature",
	"langserver",
	"editor",
	"command",
	"cli promises",
}

// floorOf is the index of the floor that a package is on, or -1.
func floorOf(p string) int {
	name := strings.TrimPrefix(p, "cmd/tofumerge/internal/")
	return slices.IndexFunc(floors, func(f string) bool { return slices.Contains(strings.Fields(f), name) })
}

// TestFloors fails if a package of the program imports one that stands above or beside it, or knows
// the library of commands without being one.
func TestFloors(t *testing.T) {
	const inner = "cmd/tofumerge/internal/"
	all := packages(t)
	for _, floor := range floors {
		for name := range strings.FieldsSeq(floor) {
			if all[inner+name] == nil {
				t.Errorf("there is no package %s", name)
			}
		}
	}
	for p, r := range all {
		if !strings.HasPrefix(p, inner) {
			continue
		}
		if floorOf(p) < 0 {
			t.Errorf("%s is on no floor", p)
		}
		for _, i := range r.imports {
			if strings.HasPrefix(i, inner) && floorOf(i) >= floorOf(p) {
				t.Errorf("%s imports %s, which does not stand below it", p, i)
			}
		}
		if r.knowsCommands && !slices.Contains([]string{"cli", "command"}, strings.TrimPrefix(p, inner)) {
			t.Errorf("%s imports the library of commands", p)
		}
	}
}

// TestArchitecture fails if the table of packages, or the example, in ARCHITECTURE.md differs from
// the code; with -update it writes them.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	want := replaceSection(t, string(text), "packages", packagesTable(packages(t)))
	want = replaceSection(t, want, "stages", "```text\n"+stages(t)+"```\n")
	if *update {
		if err := os.WriteFile(architecture, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("ARCHITECTURE.md is stale; go test ./cmd/tofumerge/internal/cli -run TestArchitecture -update (-want +got):\n%s", diff)
	}
}

// replaceSection replaces the text between two comments of a document.
func replaceSection(t *testing.T, text, name, content string) string {
	t.Helper()
	start, end := "<!-- "+name+": made by TestArchitecture -->\n", "<!-- end of "+name+" -->\n"
	before, rest, ok := strings.Cut(text, start)
	_, after, isClosed := strings.Cut(rest, end)
	if !ok || !isClosed {
		t.Fatalf("ARCHITECTURE.md has no section %s", name)
	}
	return before + start + content + end + after
}

// codeLines counts the lines of a file that are neither blank nor comments.
func codeLines(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile("../../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// packagesTable is a row for each package, each below those that it imports.
func packagesTable(all map[string]*goPackage) string {
	depth := map[string]int{}
	var depthOf func(p string) int
	depthOf = func(p string) int {
		if d, known := depth[p]; known {
			return d
		}
		deepest := 0
		for _, i := range all[p].imports {
			if layerOf(i) == layerOf(p) {
				deepest = max(deepest, depthOf(i)+1)
			}
		}
		depth[p] = deepest
		return deepest
	}
	var paths []string
	for p := range all {
		paths = append(paths, p)
		depthOf(p)
	}
	slices.SortFunc(paths, func(a, b string) int {
		if c := layerOf(a) - layerOf(b); c != 0 {
			return c
		}
		if c := depth[a] - depth[b]; c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	var out strings.Builder
	out.WriteString("\n| package | what it does |\n| --- | --- |\n")
	for _, p := range paths {
		fmt.Fprintf(&out, "| `%s` | %s |\n", strings.TrimPrefix(p, "internal/"), all[p].about)
	}
	out.WriteString("\n")
	return out.String()
}

// stages is the output of the example of package render.
func stages(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../../internal/render/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, output, ok := strings.Cut(string(text), "\t// Output:\n")
	if !ok {
		t.Fatal("the example has no output")
	}
	var out strings.Builder
	for line := range strings.Lines(output) {
		line, isComment := strings.CutPrefix(line, "\t//")
		if !isComment {
			break
		}
		out.WriteString(strings.TrimPrefix(line, " "))
	}
	return out.String()
}

// TestNothingCompiledAtStart fails if a package compiles a regular expression when the program
// starts, needed or not; see package lazyregexp.
func TestNothingCompiledAtStart(t *testing.T) {
	for name, file := range sourceFiles(t) {
		for _, d := range file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "MustCompile" {
					t.Errorf("%s: a regular expression is compiled at the start", name)
				}
				_, isLater := n.(*ast.FuncLit)
				return !isLater
			})
		}
	}
}
