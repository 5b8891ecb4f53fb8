package loadtest

import "strings"

// Expression makes an expression of any construct of native syntax, with at most deep levels.
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

func (g *Generator) member(value string) string {
	return g.pick("a", `"b c"`, "(var.k)", `"${var.k}"`, `"x-${var.k}"`, "d-e", "12", `"$${q}"`, "true", `"for"`, "if", "(null_resource.a.id)") + g.pick(" = ", ": ", "=") + value
}

// quoted makes a quoted template.
func (g *Generator) quoted(deep int) string {
	return `"` + g.Template(deep, g.chars) + `"`
}

func (g *Generator) chars() string {
	return g.pick("", "a", " ", "  ", `\n`, `\t`, `\r\n`, `\\`, `\"`, "$", "%", "$$", "$${", "%%{", "$$${x}", "é", "🚀", `\u0000`, `\U0001F680`, `\u0024{`, "}", "{", "~", "'", "/", "<<EOT", "#", "//", `\n  \n`, "\ufeff")
}

// Lines makes text for a heredoc.
func (g *Generator) Lines() string {
	return g.pick("", "a", " ", "  b", "\n", "\n\n", "\n  x", "\t", `\`, `"`, "$", "%%{", "$${x}", "é", "# c", "\n \n", `\n`, "\ufeff")
}

// Template makes a template with the text that a function makes.
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

// heredoc makes one in parentheses, so that anything may follow it.
func (g *Generator) heredoc(deep int) string {
	body := g.Template(deep, g.Lines)
	body = strings.ReplaceAll(body, "<<", "< <")
	return "(" + g.pick("<<EOT\n", "<<-EOT\n") + body + g.pick("\nEOT\n)", "\n    EOT\n)")
}
