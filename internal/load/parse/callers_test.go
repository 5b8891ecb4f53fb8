package parse

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyCaller fails if another package calls the parser or the lexer of hclsyntax. Support for
// tests may, to compare the program with them.
func TestOnlyCaller(t *testing.T) {
	root, calls := filepath.Join("..", "..", ".."), 0
	for _, dir := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			from := filepath.Base(filepath.Dir(path))
			if strings.HasSuffix(from, "test") {
				return nil
			}
			for _, name := range parsersIn(t, path) {
				if from == "parse" {
					calls++
				} else {
					t.Errorf("%s calls hclsyntax.%s: call package parse", path, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if calls == 0 {
		t.Error("not even this package calls the parser")
	}
}

// parsersIn lists the functions of hclsyntax that parse in a file.
func parsersIn(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := sel.X.(*ast.Ident)
		parses := strings.HasPrefix(sel.Sel.Name, "Parse") || strings.HasPrefix(sel.Sel.Name, "Lex")
		if ok && from.Name == "hclsyntax" && parses && sel.Sel.Name != "ParseStringLiteralToken" {
			names = append(names, sel.Sel.Name)
		}
		return true
	})
	return names
}
