package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Differences between releases are rows of tables. A line of code that tests for a product or a
// version would be a difference that no table shows, and so would be missing from the
// documentation.

// engineHomes are the files that may name a product, or a set of releases.
var engineHomes = []string{
	"internal/load/engine/products.go", // the facts about each product
	"internal/load/early/rows.go",      // the language
	"internal/load/judge/words.go",
	"internal/load/language/shapes.go",
	"internal/merge/rules/rules.go", // what overrides do
}

// TestEnginesStandInTables fails if code outside of these files names a product or a set of
// releases, or compares products or versions.
func TestEnginesStandInTables(t *testing.T) {
	needed := map[string]bool{}
	for name, file := range sourceFiles(t) {
		if strings.HasPrefix(name, "cmd/tofumerge/internal/langserver/") {
			continue // its versions are the documents'
		}
		for _, found := range engineTalk(file) {
			needed[name] = true
			if !slices.Contains(engineHomes, name) {
				t.Errorf("%s:%d: %s; let a table say in which releases it is so", name, fileSet.Position(found.at).Line, found.what)
			}
		}
	}
	for _, name := range engineHomes {
		if !needed[name] {
			t.Errorf("%s does not name any product or set of releases any more", name)
		}
	}
}

// TestEngineTalk checks that the search finds such code.
func TestEngineTalk(t *testing.T) {
	for src, want := range map[string]int{
		`e.Product == p`:                              1,
		`other != e.Version`:                          1,
		`info.Version == ""`:                          0,
		`e.Version == nil`:                            0,
		`string(p) == "opentofu"`:                     1,
		`b.Type == "terraform"`:                       0,
		`engine.OpenTofu.Title()`:                     1,
		`of(Terraform)`:                               1,
		`engine.Releases{OpenTofu: ">= 1.8"}`:         2,
		`Releases{}.Has(e)`:                           1,
		`set.OpenTofu`:                                1,
		`func() { switch e.Product { } }`:             1,
		`e.Version.Core().LessThan(v)`:                1,
		`constraint.Check(e.Version)`:                 0,
		`e.Minor() + e.Product.Title()`:               0,
		`[]engine.Releases{}`:                         0,
		`map[engine.Product]bool{engine.OpenTofu: a}`: 1,
	} {
		file, err := parser.ParseFile(fileSet, "", "package p\nvar _ = "+src+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := engineTalk(file); len(got) != want {
			t.Errorf("%s: want %d finds, got %v", src, want, got)
		}
	}
}

var fileSet = token.NewFileSet()

// sourceFiles are the files of the program, but for its tests, by their paths.
func sourceFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, root := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join("../../../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(fileSet, path, nil, parser.ParseComments)
			rel, _ := filepath.Rel("../../../..", path)
			files[filepath.ToSlash(rel)] = file
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// A talk is a position in code about products or releases.
type talk struct {
	at   token.Pos
	what string
}

func engineTalk(file *ast.File) []talk {
	var list []talk
	ast.Inspect(file, func(n ast.Node) bool {
		if what := talkOf(n); what != "" {
			list = append(list, talk{n.Pos(), what})
		}
		return true
	})
	return list
}

// talkOf returns the words in a node itself about products or releases.
func talkOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		if n.Name == "OpenTofu" || n.Name == "Terraform" {
			return "it names the product " + n.Name
		}
	case *ast.CompositeLit:
		if lastName(n.Type) == "Releases" {
			return "it makes a set of releases"
		}
	case *ast.BinaryExpr:
		compares := n.Op == token.EQL || n.Op == token.NEQ
		if compares && !isNothing(n.Y) && (isRelease(n.X) || isRelease(n.Y)) {
			return "it compares products or versions"
		}
	case *ast.SwitchStmt:
		if isRelease(n.Tag) {
			return "it chooses by product or version"
		}
	case *ast.SelectorExpr:
		if slices.Contains([]string{"LessThan", "LessThanOrEqual", "GreaterThan", "GreaterThanOrEqual"}, n.Sel.Name) {
			return "it compares versions"
		}
	}
	return ""
}

// isRelease reports whether an expression is a product or a version, or its name.
func isRelease(e ast.Expr) bool {
	if text, ok := e.(*ast.BasicLit); ok {
		return slices.Contains([]string{`"opentofu"`, `"OpenTofu"`, `"Terraform"`}, text.Value)
	}
	return slices.Contains([]string{"Product", "Version"}, lastName(e))
}

// isNothing reports whether an expression stands for the lack of a value.
func isNothing(e ast.Expr) bool {
	text, ok := e.(*ast.BasicLit)
	return ok && text.Value == `""` || lastName(e) == "nil"
}

// lastName is the last word of a dotted name.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return fmt.Sprintf("%T", e)
}
