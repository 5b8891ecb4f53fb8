package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// A mutant is one defect: the insertions that plant it behind its switch.
type mutant struct {
	id   int
	at   token.Position
	what string // what the defect does, for people
	pkg  string
}

// An edit inserts text into a file, or replaces the text between two offsets.
type edit struct {
	start, end int
	text       string
	// depth orders the edits at one offset: what surrounds a node opens before and
	// closes behind what surrounds its parts.
	depth  int
	closes bool
	of     []int // the defects that it plants, by their numbers
}

// A weaver finds the mutants of packages and the edits that plant them.
type weaver struct {
	fset    *token.FileSet
	mutants []*mutant
	edits   map[string][]edit // by file
	imports map[string]edit   // by file, what every edit of it needs
	pkg     *packages.Package
	file    string
	depth   int
	src     []byte
}

// weave finds the mutants of a package's files.
func (w *weaver) weave(pkg *packages.Package, read func(string) ([]byte, error)) error {
	w.pkg = pkg
	for i, f := range pkg.Syntax {
		w.file = pkg.CompiledGoFiles[i]
		src, err := read(w.file)
		if err != nil {
			return err
		}
		w.src = src
		if ast.IsGenerated(f) {
			continue
		}
		in := inspector.New([]*ast.File{f})
		for cur := range in.Root().Preorder() {
			w.depth = 0
			for range cur.Enclosing() {
				w.depth += 2 // odd depths are between a node and its parts
			}
			w.node(cur)
		}
		w.importMutant(f)
	}
	return nil
}

func (w *weaver) importMutant(f *ast.File) {
	if len(w.edits[w.file]) > 0 {
		at := w.offset(f.Name.End())
		w.imports[w.file] = edit{start: at, end: at, text: "; import planted \"" + modulePath + "/internal/mutant\""}
	}
}

func (w *weaver) offset(p token.Pos) int { return w.fset.Position(p).Offset }

// add notes a mutant and returns the number of its switch.
func (w *weaver) add(at token.Pos, format string, args ...any) int {
	m := &mutant{id: len(w.mutants), at: w.fset.Position(at), what: fmt.Sprintf(format, args...), pkg: w.pkg.PkgPath}
	w.mutants = append(w.mutants, m)
	return m.id
}

// put notes an edit that plants the defects from a number on, up to the last one that was added.
func (w *weaver) put(from int, e edit) {
	e.depth = w.depth
	for id := from; id < len(w.mutants); id++ {
		e.of = append(e.of, id)
	}
	w.edits[w.file] = append(w.edits[w.file], e)
}

// around puts text before and behind a node, to plant the defect that was added last.
func (w *weaver) around(n ast.Node, before, behind string) {
	w.aroundFor(len(w.mutants)-1, n, before, behind)
}

// aroundFor does this for all defects from a number on.
func (w *weaver) aroundFor(from int, n ast.Node, before, behind string) {
	start, end := w.offset(n.Pos()), w.offset(n.End())
	w.put(from, edit{start: start, end: start, text: before})
	w.put(from, edit{start: end, end: end, text: behind, closes: true})
}

func (w *weaver) text(n ast.Node) string {
	text := string(w.src[w.offset(n.Pos()):w.offset(n.End())])
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return text
}

func (w *weaver) node(cur inspector.Cursor) {
	switch n := cur.Node().(type) {
	case *ast.IfStmt:
		w.condition(n.Cond, true)
	case *ast.ForStmt:
		if n.Cond != nil {
			w.condition(n.Cond, false) // one that is always true never ends
		}
	case *ast.CaseClause:
		if sw, ok := cur.Parent().Parent().Node().(*ast.SwitchStmt); ok && sw.Tag == nil {
			for _, c := range n.List {
				w.condition(c, true)
			}
		}
		w.statements(n.Body)
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.ReturnStmt:
		w.returns(cur, n)
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.BasicLit:
		w.number(cur, n)
	}
}

// condition makes one always false and, if that can end, always true.
func (w *weaver) condition(c ast.Expr, canBeTrue bool) {
	if w.constant(c) {
		return
	}
	text := w.text(c)
	if canBeTrue {
		w.depth++
		w.around(c, fmt.Sprintf("planted.True(%d, ", w.add(c.Pos(), "always true: %s", text)), ")")
		w.depth--
	}
	w.around(c, fmt.Sprintf("planted.False(%d, ", w.add(c.Pos(), "always false: %s", text)), ")")
}

func (w *weaver) constant(e ast.Expr) bool {
	tv, ok := w.pkg.TypesInfo.Types[e]
	return !ok || tv.Value != nil
}

func (w *weaver) binary(n *ast.BinaryExpr) {
	if w.constant(n) {
		return
	}
	switch n.Op {
	case token.LAND, token.LOR:
		w.operand(n.X, n.Op)
		w.operand(n.Y, n.Op)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		w.comparison(n)
	}
}

// operand takes an operand out of a conjunction or a disjunction.
func (w *weaver) operand(e ast.Expr, op token.Token) {
	if inner, ok := e.(*ast.BinaryExpr); ok && inner.Op == op || w.constant(e) {
		return // its own operands are taken out
	}
	name, verb := "True", "always true"
	if op == token.LOR {
		name, verb = "False", "always false"
	}
	w.depth++
	w.around(e, fmt.Sprintf("planted.%s(%d, ", name, w.add(e.Pos(), "%s: %s", verb, w.text(e))), ")")
	w.depth--
}

// comparison moves the bound of one by one. a > b is written as b < a only where
// the order in which they are computed cannot matter.
func (w *weaver) comparison(n *ast.BinaryExpr) {
	name, ok := map[token.Token]string{token.LSS: "Less", token.LEQ: "LessOrEqual", token.GTR: "LessOrEqual", token.GEQ: "Less"}[n.Op]
	if !ok || w.constant(n.X) && w.constant(n.Y) {
		return
	}
	before, behind := "planted."+name, ")"
	if n.Op == token.GTR || n.Op == token.GEQ { // a > b is not a <= b
		before, behind = "!planted."+name, ")"
	}
	id := w.add(n.OpPos, "another bound: %s", w.text(n))
	w.around(n, fmt.Sprintf("%s(%d, ", before, id), behind)
	at := w.offset(n.OpPos)
	w.put(id, edit{start: at, end: at + len(n.Op.String()), text: ","})
}

// statements leaves out each of a list that does nothing but have an effect.
func (w *weaver) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); !ok || strings.HasPrefix(w.text(call.Fun), "panic") {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s.Lhs) {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE && s.Tok != token.BREAK {
				continue
			}
		default:
			continue
		}
		w.around(s, fmt.Sprintf("if !planted.On(%d) { ", w.add(s.Pos(), "left out: %s", w.text(s))), " }")
	}
}

func isBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// returns has a function return zero values at once.
func (w *weaver) returns(cur inspector.Cursor, n *ast.ReturnStmt) {
	signature := enclosingSignature(cur)
	if signature == nil || signature.Results == nil || len(n.Results) == 0 || isZero(n.Results) {
		return
	}
	if _, inBlock := cur.Parent().Node().(*ast.BlockStmt); !inBlock {
		if _, inCase := cur.Parent().Node().(*ast.CaseClause); !inCase {
			return
		}
	}
	var zeros []string
	for _, field := range signature.Results.List {
		for range max(1, len(field.Names)) {
			zeros = append(zeros, "planted.None["+string(w.src[w.offset(field.Type.Pos()):w.offset(field.Type.End())])+"]()")
		}
	}
	id := w.add(n.Pos(), "zero values: %s", w.text(n))
	at := w.offset(n.Pos())
	w.put(id, edit{start: at, end: at, text: fmt.Sprintf("if planted.On(%d) { return %s }; ", id, strings.Join(zeros, ", "))})
	if tv := w.pkg.TypesInfo.Types[n.Results[0]]; len(n.Results) == 1 && tv.Type != nil && isBool(tv.Type) && !w.constant(n.Results[0]) {
		w.depth++
		w.around(n.Results[0], fmt.Sprintf("planted.True(%d, ", w.add(n.Pos(), "always true: %s", w.text(n))), ")")
		w.depth--
	}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func enclosingSignature(cur inspector.Cursor) *ast.FuncType {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch f := c.Node().(type) {
		case *ast.FuncDecl:
			return f.Type
		case *ast.FuncLit:
			return f.Type
		}
	}
	return nil
}

// isZero reports whether results are zero values as written.
func isZero(results []ast.Expr) bool {
	return !slices.ContainsFunc(results, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return e.Name != "nil" && e.Name != "false"
		case *ast.BasicLit:
			return e.Value != `""` && e.Value != "0"
		case *ast.CompositeLit:
			return len(e.Elts) > 0
		}
		return true
	})
}

// literal leaves out fields of structs and elements of lists.
func (w *weaver) literal(n *ast.CompositeLit) {
	t := w.pkg.TypesInfo.TypeOf(n)
	if t == nil {
		return
	}
	switch t.Underlying().(type) {
	case *types.Struct:
		for _, elt := range n.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				w.field(kv)
			}
		}
	case *types.Slice:
		if n.Type == nil || len(n.Elts) == 0 {
			return
		}
		first := len(w.mutants)
		for _, elt := range n.Elts {
			w.add(elt.Pos(), "left out: %s", w.text(elt))
		}
		w.aroundFor(first, n, fmt.Sprintf("planted.Without(%d, ", first), ")")
	}
}

func (w *weaver) field(kv *ast.KeyValueExpr) {
	v := kv.Value
	if lit, ok := v.(*ast.CompositeLit); ok && lit.Type == nil {
		return
	}
	t := w.pkg.TypesInfo.TypeOf(v)
	if t == nil || types.Identical(t, types.Typ[types.UntypedNil]) {
		return
	}
	key := w.pkg.TypesInfo.TypeOf(kv.Key)
	if key != nil && !types.Identical(key, t) {
		return // the value is converted by the assignment
	}
	before, behind := "", ")"
	if b, ok := t.(*types.Basic); ok && w.constant(v) {
		before, behind = b.Name()+"(", "))" // a number that is an int64 only because of its position
	}
	w.depth++
	w.around(v, fmt.Sprintf("planted.Zero(%d, %s", w.add(kv.Pos(), "left out: %s", w.text(kv)), before), behind)
	w.depth--
}

// number makes a whole number one larger where it is computed with.
func (w *weaver) number(cur inspector.Cursor, n *ast.BasicLit) {
	tv := w.pkg.TypesInfo.Types[n]
	if n.Kind != token.INT || tv.Type == nil || tv.Type != types.Typ[types.Int] {
		return
	}
	switch p := cur.Parent().Node().(type) {
	case *ast.BinaryExpr:
		if w.constant(p) || p.Op == token.SHL || p.Op == token.SHR {
			return
		}
	case *ast.SliceExpr:
	case *ast.CallExpr:
	default:
		return
	}
	w.depth++
	w.around(n, fmt.Sprintf("planted.Int(%d, ", w.add(n.Pos(), "one larger: %s in %s", n.Value, w.text(cur.Parent().Node()))), ")")
	w.depth--
}
