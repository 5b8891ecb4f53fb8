package loadtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

// Structure describes an expression without its spelling, so that tests can compare meanings: parentheses, quotes,
// heredocs, blanks and comments make no difference. For a && b it returns (op && (ref a) (ref b)).
func Structure(e hcl.Expression) string {
	switch e := e.(type) {
	case nil:
		return "-"
	case *hclsyntax.ParenthesesExpr:
		return Structure(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return Structure(e.Wrapped)
	case *hclsyntax.LiteralValueExpr:
		return valueStructure(e.Val)
	case *hclsyntax.TemplateExpr:
		return templateStructure(e.Parts)
	case *hclsyntax.TemplateJoinExpr:
		return "(join " + Structure(e.Tuple) + ")"
	case *hclsyntax.ScopeTraversalExpr:
		return "(ref" + steps(e.Traversal) + ")"
	case *hclsyntax.RelativeTraversalExpr:
		return "(rel " + Structure(e.Source) + steps(e.Traversal) + ")"
	case *hclsyntax.IndexExpr:
		return "(index " + Structure(e.Collection) + " " + Structure(e.Key) + ")"
	case *hclsyntax.SplatExpr:
		return "(splat " + Structure(e.Source) + " " + Structure(e.Each) + ")"
	case *hclsyntax.AnonSymbolExpr:
		return "*"
	case *hclsyntax.FunctionCallExpr:
		return fmt.Sprintf("(call %s %t%s)", e.Name, e.ExpandFinal, structures(e.Args))
	case *hclsyntax.ConditionalExpr:
		return "(if" + structures([]hclsyntax.Expression{e.Condition, e.TrueResult, e.FalseResult}) + ")"
	case *hclsyntax.BinaryOpExpr:
		return fmt.Sprintf("(op %s %s %s)", opName(e.Op), Structure(e.LHS), Structure(e.RHS))
	case *hclsyntax.UnaryOpExpr:
		return unaryStructure(e)
	case *hclsyntax.TupleConsExpr:
		return "[" + structures(e.Exprs) + "]"
	case *hclsyntax.ObjectConsExpr:
		return objectStructure(e)
	case *hclsyntax.ObjectConsKeyExpr:
		return keyStructure(e)
	case *hclsyntax.ForExpr:
		parts := []hclsyntax.Expression{e.CollExpr, e.KeyExpr, e.ValExpr, e.CondExpr}
		return fmt.Sprintf("(for %s %s %t%s)", e.KeyVar, e.ValVar, e.Group, structures(parts))
	}
	return fmt.Sprintf("(unknown %T)", e)
}

// structures returns the structure of each expression, each after a blank; "-" stands for a missing one.
func structures(list []hclsyntax.Expression) string {
	var out strings.Builder
	for _, e := range list {
		if e == nil {
			out.WriteString(" -")
			continue
		}
		out.WriteString(" " + Structure(e))
	}
	return out.String()
}

// valueStructure describes a constant. The exact binary text of numbers makes 1.0 and 1 the same.
func valueStructure(v cty.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('p', 0)
	}
	return v.GoString()
}

// templateStructure describes a template. It joins neighbouring literals and drops empty ones, because a template can
// split its text anywhere, as in "a${"b"}".
func templateStructure(parts []hclsyntax.Expression) string {
	var out []string
	literal := ""
	endLiteral := func() {
		if literal != "" {
			out = append(out, fmt.Sprintf("%q", literal))
		}
		literal = ""
	}
	for _, p := range parts {
		if text, ok := literalText(p); ok {
			literal += text
			continue
		}
		endLiteral()
		out = append(out, Structure(p))
	}
	endLiteral()
	return "(template " + strings.Join(out, " ") + ")"
}

// literalText returns the text of a part of a template; false if the part isn't a constant text.
func literalText(e hclsyntax.Expression) (string, bool) {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		if e.Val.Type() == cty.String && !e.Val.IsNull() {
			return e.Val.AsString(), true
		}
	case *hclsyntax.TemplateExpr:
		text := ""
		for _, p := range e.Parts {
			more, ok := literalText(p)
			if !ok {
				return "", false
			}
			text += more
		}
		return text, true
	}
	return "", false
}

// steps describes a reference, each step after a blank: " var .list [0]".
func steps(t hcl.Traversal) string {
	var out strings.Builder
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			out.WriteString(" " + step.Name)
		case hcl.TraverseAttr:
			out.WriteString(" ." + step.Name)
		case hcl.TraverseIndex:
			out.WriteString(" [" + valueStructure(step.Key) + "]")
		default:
			fmt.Fprintf(&out, " %T", step)
		}
	}
	return out.String()
}

var operations = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!", hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "neg",
}

// opName returns the symbol of an operator. A minus before a value is "neg", unlike the one between two values.
func opName(op *hclsyntax.Operation) string { return operations[op] }

// unaryStructure describes an expression with a ! or a minus before it. The minus before a number is a part of the
// number.
func unaryStructure(e *hclsyntax.UnaryOpExpr) string {
	if lit, ok := e.Val.(*hclsyntax.LiteralValueExpr); ok && e.Op == hclsyntax.OpNegate && lit.Val.Type() == cty.Number {
		return "-" + valueStructure(lit.Val)
	}
	return "(" + opName(e.Op) + " " + Structure(e.Val) + ")"
}

// objectStructure describes an object: its keys and values, in order.
func objectStructure(e *hclsyntax.ObjectConsExpr) string {
	var out strings.Builder
	for _, item := range e.Items {
		out.WriteString(" " + Structure(item.KeyExpr) + ": " + Structure(item.ValueExpr))
	}
	return "{" + out.String() + "}"
}

// keyStructure describes the key of an object. A bare word, a number or a bool is the string that it stands for.
func keyStructure(e *hclsyntax.ObjectConsKeyExpr) string {
	if word := hcl.ExprAsKeyword(e.Wrapped); word != "" && !e.ForceNonLiteral {
		return templateStructure([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(word)}})
	}
	if lit, ok := e.Wrapped.(*hclsyntax.LiteralValueExpr); ok && !lit.Val.IsNull() {
		text := lit.Val.GoString() // replaced below: a literal here is a number or a bool
		if lit.Val.Type() == cty.Number {
			text = lit.Val.AsBigFloat().Text('f', -1)
		} else if lit.Val.Type() == cty.Bool {
			text = fmt.Sprint(lit.Val.True())
		}
		return templateStructure([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(text)}})
	}
	return Structure(e.Wrapped)
}

// Expression makes a random expression with any construct of native syntax, nested at most deep levels.
func (g *Generator) Expression(deep int) string {
	if deep <= 0 {
		return g.pick("1", "0.1", "1e400", "123456789012345678901234567890.12345678901234567890", "-7", "true", "null", `""`, `"a"`, "var.a", "local.b_c", "x-y.z", "each.key", `"\u00e9\n\t\"\\"`)
	}
	inner := func() string { return g.Expression(deep - 1 - g.IntN(2)) }
	switch g.IntN(20) {
	case 0:
		return inner() + g.pick(" + ", "*", " == ", " && ", "\n||", "%", " >= ") + inner()
	case 1:
		return "(" + inner() + g.pick(")", "\n)", " /* c */ )", " # c\n)")
	case 2:
		return "(" + inner() + ") ? " + inner() + " : " + inner()
	case 3:
		return "[" + inner() + g.pick(", ", ",\n  ", ", # c\n") + inner() + g.pick("", ",") + "]"
	case 4:
		return g.pick("[for v in ", "[for k, v in ") + inner() + " : " + inner() + g.pick("", " if v != null") + "]"
	case 5:
		return "{for k, v in " + inner() + " : " + inner() + " => " + inner() + g.pick("", "...", " if k") + "}"
	case 6:
		return g.pick("max", "provider::aws::arn_parse", "core::join") + "(" + inner() + g.pick("", "...", ", "+inner(), ",\n"+inner()) + ")"
	case 7:
		return g.pick("a.b", "var.l", "module.m[0].o") + g.pick("[*].c", ".*.c", "[*]", ".*.d[1]", `["k"]`, "[var.i]", "[each.key].x", ".0.y")
	case 8:
		return g.pick("!", "-") + g.pick("var.x", "(1 + 2)", "f()")
	case 9:
		return "(" + inner() + ")" + g.pick("[0]", ".a", "[*].b", `["${var.k}"]`)
	case 10, 11:
		return "{" + g.member(inner()) + g.pick(", ", "\n", "\n# c\n") + g.member(inner()) + "}"
	case 12, 13:
		return g.heredoc(deep)
	}
	return g.quoted(deep)
}

// member makes a member of an object, with a random key.
func (g *Generator) member(value string) string {
	return g.pick("a", `"b c"`, "(var.k)", `"${var.k}"`, `"x-${var.k}"`, "d-e", "12", `"$${q}"`, "true", `"for"`, "if", "(null_resource.a.id)") + g.pick(" = ", ": ", "=") + value
}

// quoted makes a template in quotes.
func (g *Generator) quoted(deep int) string {
	return `"` + g.Template(deep, g.chars) + `"`
}

// chars makes a short text for a quoted template. Most are difficult to escape or to parse.
func (g *Generator) chars() string {
	return g.pick("", "a", " ", "  ", `\n`, `\t`, `\r\n`, `\\`, `\"`, "$", "%", "$$", "$${", "%%{", "$$${x}", "é", "🚀", `\u0000`, `\U0001F680`, `\u0024{`, "}", "{", "~", "'", "/", "<<EOT", "#", "//", `\n  \n`, "\ufeff")
}

// Lines makes a short text for a heredoc. Most are difficult to escape, or affect the indentation.
func (g *Generator) Lines() string {
	return g.pick("", "a", " ", "  b", "\n", "\n\n", "\n  x", "\t", `\`, `"`, "$", "%%{", "$${x}", "é", "# c", "\n \n", `\n`, "\ufeff")
}

// Template makes the inside of a template: literal texts, which text makes, with interpolations and directives
// between them.
func (g *Generator) Template(deep int, text func() string) string {
	var out strings.Builder
	for range 1 + g.IntN(4) {
		out.WriteString(text())
		switch g.IntN(4) {
		case 0:
			out.WriteString(g.pick("${", "${~ ", "${ ") + g.Expression(deep-2) + g.pick("}", " ~}", " }"))
		case 1:
			out.WriteString(g.pick("%{ if ", "%{~ if ") + g.Expression(deep-3) + g.pick(" }", "~}") + text() + g.pick("", "%{ else }y", "%{~ else ~} z") + g.pick("%{ endif }", "%{~ endif ~}"))
		case 2:
			out.WriteString(g.pick("%{ for v in ", "%{ for k, v in ") + g.pick("var.l", "[1, 2]") + g.pick(" }", " ~}") + text() + "${v}" + text() + g.pick("%{ endfor }", "%{~ endfor ~}"))
		}
		out.WriteString(text())
	}
	return out.String()
}

// heredoc makes a heredoc in parentheses, so that anything may follow it on the line.
func (g *Generator) heredoc(deep int) string {
	return "(" + g.pick("<<EOT\n", "<<-EOT\n") + g.Template(deep, g.Lines) + g.pick("\nEOT\n)", "\n    EOT\n)")
}

// mark separates a line of a native file from the summaries of the diagnostics that the line must get.
const mark = " #! "

// RunMarked runs a test on each archive in a directory, and compares the diagnostics that it returns with the marks
// in the native files. A mark lists the diagnostics that its line must get: `a = 1 #! warning: No effect`. A line
// without a mark must get none.
func RunMarked(t *testing.T, dir string, test func(t *testing.T, c *Case) hcl.Diagnostics) {
	t.Helper()
	Each(t, dir, func(t *testing.T, c *Case) {
		for name, text := range c.Files {
			c.Files[name] = []byte(unmarked(string(text)))
		}
		c.checkMarks(t, test(t, c))
	})
}

// unmarked returns a text without the marks at the ends of its lines.
func unmarked(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		before, _, isMarked := strings.Cut(line, mark)
		out.WriteString(before)
		if isMarked { // the line end was behind the mark
			out.WriteString("\n")
		}
	}
	return out.String()
}

// checkMarks compares the diagnostics of each line with its mark: a = 1 #! warning: No effect. If they differ, the
// test fails or, with -update, checkMarks rewrites the archive. c.Files must be without marks: with those that the
// diagnostics call for, they must equal the files of the archive.
func (c *Case) checkMarks(t *testing.T, diags hcl.Diagnostics) {
	t.Helper()
	lines := map[string]map[int][]string{}
	for _, d := range diags {
		at := d.Subject
		if at == nil || c.Files[at.Filename] == nil {
			t.Errorf("nowhere: %s", d)
			continue
		}
		if lines[at.Filename] == nil {
			lines[at.Filename] = map[int][]string{}
		}
		summary := d.Summary
		if d.Severity == hcl.DiagWarning {
			summary = "warning: " + summary
		}
		lines[at.Filename][at.Start.Line] = append(lines[at.Filename][at.Start.Line], summary)
	}
	isSame := true
	files := make([]txtar.File, len(c.arch.Files))
	for i, f := range c.arch.Files {
		files[i] = txtar.File{Name: f.Name, Data: []byte(marked(string(c.Files[f.Name]), lines[f.Name]))}
		if diff := cmp.Diff(string(f.Data), string(files[i].Data)); diff != "" {
			isSame = false
			if !*Update {
				t.Errorf("%s: %s (-want +got):\n%s", c.path, f.Name, diff)
			}
		}
	}
	if !isSame && *Update {
		c.write(t, files)
	}
}

// marked returns a text with a mark on each line that has diagnostics. lines holds their summaries by line number,
// from 1.
func marked(text string, lines map[int][]string) string {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if found := lines[n]; found != nil {
			line = strings.TrimSuffix(line, "\n") + mark + strings.Join(found, " | ") + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
