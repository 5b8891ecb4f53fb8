package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// A mutant is one defect.
type mutant struct {
	id    int
	at    token.Position
	what  string // what the defect does, for people
	pkg   string
	plant func() // puts it into the syntax tree, behind its switch

	passed bool // some test passes the switch
	by     judge
}

// A weaver finds the mutants of packages.
type weaver struct {
	fset    *token.FileSet
	files   map[string]*ast.File
	mutants []*mutant // what surrounds a node comes before what is within it
	pkg     *packages.Package
}

// weave finds the defects of packages; without a pattern, of all but those that only help tests.
func weave(patterns []string) (*weaver, error) {
	all := len(patterns) == 0
	if all {
		patterns = []string{"./internal/...", "./cmd/..."}
	}
	w := &weaver{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Fset: w.fset}, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		if !all || !strings.HasSuffix(p.PkgPath, "test") {
			w.weave(p)
		}
	}
	return w, nil
}

// weave finds the mutants of a package's files.
func (w *weaver) weave(pkg *packages.Package) {
	w.pkg = pkg
	for i, f := range pkg.Syntax {
		if ast.IsGenerated(f) {
			continue
		}
		w.files[pkg.CompiledGoFiles[i]] = f
		for cur := range inspector.New([]*ast.File{f}).Root().Preorder() {
			w.node(cur)
		}
	}
}

func (w *weaver) text(n ast.Node) string {
	var out strings.Builder
	_ = printer.Fprint(&out, w.fset, n)
	text := strings.Join(strings.Fields(out.String()), " ")
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return text
}

// add notes a defect. with makes what replaces a node from the number of the switch and the node,
// in which the defects of its parts are planted already.
func (w *weaver) add(cur inspector.Cursor, at token.Pos, what string, with func(id ast.Expr, n ast.Node) ast.Node) {
	m := &mutant{id: len(w.mutants), at: w.fset.Position(at), what: what, pkg: w.pkg.PkgPath}
	m.plant = func() {
		kind, i := cur.ParentEdge()
		field := reflect.ValueOf(cur.Parent().Node()).Elem().FieldByName(kind.FieldName())
		if i >= 0 {
			field = field.Index(i)
		}
		field.Set(reflect.ValueOf(with(number(strconv.Itoa(m.id)), field.Interface().(ast.Node))))
	}
	w.mutants = append(w.mutants, m)
}

// pass notes a defect for which an expression passes through a function of package mutant.
func (w *weaver) pass(cur inspector.Cursor, function string, at token.Pos, what string) {
	w.add(cur, at, what, func(id ast.Expr, n ast.Node) ast.Node { return call(planted(function), id, n.(ast.Expr)) })
}

func planted(name string) ast.Expr {
	return &ast.SelectorExpr{X: ast.NewIdent("planted"), Sel: ast.NewIdent(name)}
}

func call(function ast.Expr, args ...ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: function, Args: args}
}

func number(text string) ast.Expr { return &ast.BasicLit{Kind: token.INT, Value: text} }

func block(list ...ast.Stmt) *ast.BlockStmt { return &ast.BlockStmt{List: list} }

// node notes the defects of a node: those of its position, and those of its kind.
func (w *weaver) node(cur inspector.Cursor) {
	switch cur.ParentEdgeKind() {
	case edge.IfStmt_Cond:
		w.always(cur, "True")
		w.always(cur, "False")
	case edge.ForStmt_Cond:
		w.always(cur, "False") // one that is always true never ends
	case edge.CaseClause_List:
		if sw, ok := cur.Parent().Parent().Parent().Node().(*ast.SwitchStmt); ok && sw.Tag == nil {
			w.always(cur, "True")
			w.always(cur, "False")
		}
	case edge.BlockStmt_List, edge.CaseClause_Body:
		w.statement(cur)
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		w.operand(cur, cur.Parent().Node().(*ast.BinaryExpr))
	case edge.SliceExpr_Low, edge.SliceExpr_High, edge.SliceExpr_Max, edge.CallExpr_Args:
		w.larger(cur)
	case edge.KeyValueExpr_Value:
		w.field(cur, cur.Parent().Node().(*ast.KeyValueExpr))
	}
	switch n := cur.Node().(type) {
	case *ast.BinaryExpr:
		w.comparison(cur, n)
	case *ast.CompositeLit:
		if cur.ParentEdgeKind() != edge.UnaryExpr_X { // what a function returns has no address
			w.list(cur, n)
		}
	}
}

func (w *weaver) constant(e ast.Expr) bool {
	tv, ok := w.pkg.TypesInfo.Types[e]
	return !ok || tv.Value != nil
}

// always makes a condition always true or always false.
func (w *weaver) always(cur inspector.Cursor, is string) {
	if c := cur.Node().(ast.Expr); !w.constant(c) {
		w.pass(cur, is, c.Pos(), "always "+strings.ToLower(is)+": "+w.text(c))
	}
}

// operand takes an operand out of a conjunction or a disjunction.
func (w *weaver) operand(cur inspector.Cursor, of *ast.BinaryExpr) {
	if _, isNamed := w.pkg.TypesInfo.TypeOf(of).(*types.Named); isNamed || w.constant(of) {
		return // an untyped operand takes the type of the other
	}
	inner, ok := cur.Node().(*ast.BinaryExpr)
	switch {
	case of.Op == token.SHL, of.Op == token.SHR, ok && inner.Op == of.Op: // its own operands are taken out
	case of.Op == token.LAND:
		w.always(cur, "True")
	case of.Op == token.LOR:
		w.always(cur, "False")
	default:
		w.larger(cur)
	}
}

// comparison moves the bound of one by one: what it is compared with 0 then, -1, 0 or 1, is one
// smaller or larger.
func (w *weaver) comparison(cur inspector.Cursor, n *ast.BinaryExpr) {
	by, ok := map[token.Token]string{token.LSS: "-1", token.GEQ: "-1", token.LEQ: "1", token.GTR: "1"}[n.Op]
	if !ok || w.constant(n) {
		return
	}
	w.add(cur, n.OpPos, "another bound: "+w.text(n), func(id ast.Expr, _ ast.Node) ast.Node {
		return &ast.BinaryExpr{X: call(planted("Compare"), id, number(by), n.X, n.Y), Op: n.Op, Y: number("0")}
	})
}

var (
	toBlank = regexp.MustCompile(`^_(, _)* =`)
	zero    = regexp.MustCompile(`^(nil|false|""|0|[^& ]*\{\})$`)
)

// statement leaves out one that does nothing but have an effect.
func (w *weaver) statement(cur inspector.Cursor) {
	switch s := cur.Node().(type) {
	case *ast.ReturnStmt:
		w.returns(cur, s)
		return
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); !ok || strings.HasPrefix(w.text(call.Fun), "panic") {
			return
		}
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || toBlank.MatchString(w.text(s)) {
			return
		}
	case *ast.IncDecStmt:
	case *ast.BranchStmt:
		if s.Tok != token.CONTINUE && s.Tok != token.BREAK {
			return
		}
	default:
		return
	}
	w.add(cur, cur.Node().Pos(), "left out: "+w.text(cur.Node()), func(id ast.Expr, n ast.Node) ast.Node {
		return &ast.IfStmt{Cond: &ast.UnaryExpr{Op: token.NOT, X: call(planted("On"), id)}, Body: block(n.(ast.Stmt))}
	})
}

// returns has a function return zero values at once.
func (w *weaver) returns(cur inspector.Cursor, n *ast.ReturnStmt) {
	if !slices.ContainsFunc(n.Results, func(e ast.Expr) bool { return !zero.MatchString(w.text(e)) }) {
		return
	}
	results := signature(cur).Results
	w.add(cur, n.Pos(), "zero values: "+w.text(n), func(id ast.Expr, n ast.Node) ast.Node {
		zeros := &ast.ReturnStmt{}
		for _, field := range results.List {
			for range max(1, len(field.Names)) {
				zeros.Results = append(zeros.Results, call(&ast.IndexExpr{X: planted("None"), Index: field.Type}))
			}
		}
		return block(&ast.IfStmt{Cond: call(planted("On"), id), Body: block(zeros)}, n.(ast.Stmt))
	})
	if tv := w.pkg.TypesInfo.Types[n.Results[0]]; len(n.Results) == 1 && tv.Value == nil && types.Identical(tv.Type.Underlying(), types.Typ[types.Bool]) {
		w.pass(cur.ChildAt(edge.ReturnStmt_Results, 0), "True", n.Pos(), "always true: "+w.text(n))
	}
}

// signature is that of the function around a statement.
func signature(cur inspector.Cursor) *ast.FuncType {
	for ; ; cur = cur.Parent() {
		switch f := cur.Node().(type) {
		case *ast.FuncDecl:
			return f.Type
		case *ast.FuncLit:
			return f.Type
		}
	}
}

// list leaves out the elements of one.
func (w *weaver) list(cur inspector.Cursor, n *ast.CompositeLit) {
	if _, ok := w.pkg.TypesInfo.TypeOf(n).Underlying().(*types.Slice); !ok || n.Type == nil {
		return
	}
	for i, elt := range n.Elts {
		w.add(cur, elt.Pos(), "left out: "+w.text(elt), func(id ast.Expr, n ast.Node) ast.Node {
			return call(planted("Without"), id, number(strconv.Itoa(i)), n.(ast.Expr))
		})
	}
}

// field leaves out a field of a struct.
func (w *weaver) field(cur inspector.Cursor, kv *ast.KeyValueExpr) {
	of := w.pkg.TypesInfo.TypeOf(cur.Parent().Parent().Node().(ast.Expr))
	if _, ok := of.Underlying().(*types.Struct); !ok {
		return
	}
	if lit, ok := kv.Value.(*ast.CompositeLit); ok && lit.Type == nil {
		return
	}
	t := w.pkg.TypesInfo.TypeOf(kv.Value)
	if key := w.pkg.TypesInfo.TypeOf(kv.Key); types.Identical(t, types.Typ[types.UntypedNil]) || key != nil && !types.Identical(key, t) {
		return // the value is converted by the assignment
	}
	w.add(cur, kv.Pos(), "left out: "+w.text(kv), func(id ast.Expr, n ast.Node) ast.Node {
		v := n.(ast.Expr)
		if b, ok := t.(*types.Basic); ok {
			v = call(ast.NewIdent(b.Name()), v) // a number that is an int64 only because of its position
		}
		return call(planted("Zero"), id, v)
	})
}

// larger makes a whole number one larger where it is computed with.
func (w *weaver) larger(cur inspector.Cursor) {
	n, ok := cur.Node().(*ast.BasicLit)
	if ok && n.Kind == token.INT && w.pkg.TypesInfo.TypeOf(n) == types.Typ[types.Int] {
		w.pass(cur, "Int", n.Pos(), "one larger: "+n.Value+" in "+w.text(cur.Parent().Node()))
	}
}

// overlay plants the chosen defects, and writes the changed files and the list of them that the
// compiler takes.
func (w *weaver) overlay(work string, chosen []*mutant) (string, error) {
	replace := map[string]string{"internal/mutant/mutant.go": ".ci/mutate/mutant.go.txt"}
	for _, m := range slices.Backward(chosen) { // the parts of a node before the node
		m.plant()
		replace[m.at.Filename] = filepath.Join(work, strconv.Itoa(m.id)+".go")
	}
	for name, f := range w.files {
		if as := replace[name]; as != "" {
			if err := os.WriteFile(as, w.printed(f), 0o644); err != nil {
				return "", err
			}
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}

// printed is the text of a file in which defects are planted. Comments could end up in odd
// positions, so only those for the compiler stay.
func (w *weaver) printed(f *ast.File) []byte {
	f.Comments = slices.DeleteFunc(f.Comments, func(g *ast.CommentGroup) bool {
		return !slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
	})
	path := &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(modulePath + "/internal/mutant")}
	spec := &ast.ImportSpec{Name: ast.NewIdent("planted"), Path: path}
	f.Decls = slices.Insert(f.Decls, 0, ast.Decl(&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}))
	var text bytes.Buffer
	_ = printer.Fprint(&text, w.fset, f) // the compiler names what is missing
	return text.Bytes()
}
