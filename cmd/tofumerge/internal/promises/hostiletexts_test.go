package promises_test

import (
	"fmt"
	"strings"
)

// hostileTexts are inputs that are hard on readers of text, and on reports about errors: JSON of
// all kinds, repeated declarations, many errors, and nesting. Most of them are refused.
func hostileTexts() []hostileInput {
	resource := `resource "x_a" "web"`
	return []hostileInput{
		{name: "missing base, long names", files: func(n int) map[string]string {
			return pair(fmt.Sprintf("resource \"x_a\" \"%s\" {}\n", repeat(n, "ab")), fmt.Sprintf("resource \"x_a\" \"%s\" {}\n", repeat(n, "ba")))
		}},
		{name: "missing bases, as many there", files: each("resource \"x_a\" \"base%d\" {}\n", "resource \"x_a\" \"bass%d\" {}\n")},
		{name: "duplicate blocks", files: func(n int) map[string]string { return pair(repeat(n, resource+" {}\n"), resource+" {}\n") }},
		{name: "duplicate blocks, the first large", files: func(n int) map[string]string {
			return pair(block(resource, repeat(n, "  a%d = 1\n"))+repeat(n, resource+" {}\n"), "")
		}},
		{name: "duplicate local values", files: func(n int) map[string]string { return pair(repeat(n, "locals {\n  a = %d\n}\n"), "") }},
		{name: "duplicate arguments", files: func(n int) map[string]string { return pair(block(resource, repeat(n, "  x = 1\n")), resource+" {}\n") }},
		{name: "blocks with duplicate arguments", files: func(n int) map[string]string {
			return pair(repeat(n, "resource \"x_a\" \"web%d\" {\n  x = 1\n  x = 2\n}\n"), "")
		}},
		{name: "duplicate lifecycle blocks", files: func(n int) map[string]string {
			return pair(block(resource, repeat(n, "  a%d = 1\n")+repeat(n, "  lifecycle {}\n")), resource+" {}\n")
		}},
		{name: "duplicate key providers", files: func(n int) map[string]string {
			return pair(block("terraform", block("encryption", repeat(n, "key_provider \"a\" \"b\" {}\n"))), "")
		}},
		{name: "duplicate imports", files: func(n int) map[string]string {
			return pair(resource+" {}\n"+repeat(n, "import {\n  to = x_a.web\n  id = \"%d\"\n}\n"), "")
		}},
		{name: "errors on one line", files: func(n int) map[string]string { return pair("locals { x = ["+repeat(n, "$,")+"] }\n", "") }},
		{name: "errors on lines", files: func(n int) map[string]string { return pair(repeat(n, "variable \"a%d\" {\n  default = $\n}\n"), "") }},
		{name: "unknown arguments", files: func(n int) map[string]string { return pair(block(`variable "a"`, repeat(n, "  defalt%d = 1\n")), "") }},
		{name: "unknown blocks", files: func(n int) map[string]string { return pair(repeat(n, "resurce%d {}\n"), "") }},
		{name: "template", superlinear: true, files: func(n int) map[string]string {
			return pair(block(resource, "  x = \""+repeat(n, "${a}b")+"\"\n"), block(resource, "  x = \""+repeat(n, "${b}a")+"\"\n"))
		}},
		{name: "heredoc of interpolations", superlinear: true, files: func(n int) map[string]string {
			text := block(resource, "  x = <<EOT\n"+repeat(n, "line ${var.x}\n")+"EOT\n")
			return pair(text, text)
		}},
		{name: "signs between sequences", files: func(n int) map[string]string {
			return pair(block(`variable "a"`, "  default = \""+repeat(n, `a\n$${x}${a.b}%%%%{y}`)+"\"\n"), block(`variable "a"`, "  type = string\n"))
		}},
		{name: "JSON, signs between sequences", files: jsonValue(func(n int) string { return `"` + repeat(n, `a\n$${x}${a.b}%%%%{y}`) + `"` })},
		{name: "deep brackets", files: deep("[")},
		{name: "deep interpolations", files: deep(`"${`)},
		{name: "deep negations", files: deep("!")},
		{name: "deep minus", files: deep("-")},
		{name: "deep conditionals", files: deep("a?b:")},
		{name: "deep parentheses", files: deep("(")},
		{name: "deep objects", files: deep("{a=")},
		{name: "deep blocks", files: func(n int) map[string]string { return pair(repeat(n, "a {\n"), "") }},
		{name: "deep heredocs", files: deep("<<A\n${\n")},
		{name: "deep directives", files: deep(`"%{if a}`)},
		{name: "open heredocs", superlinear: true, files: deep("<<A\n")},
		{name: "open quotes", files: func(n int) map[string]string { return pair(repeat(n, "locals {\n  x = \"a\n}\n"), "") }},
		{name: "JSON, deep", files: func(n int) map[string]string {
			return map[string]string{"main.tf.json": `{"locals":{"x":` + repeat(n, "[")}
		}},
		{name: "JSON, deep template", files: jsonLocal(func(n int) string { return `"` + repeat(n, "${[") + `"` })},
		{name: "JSON array", files: jsonValue(func(n int) string { return "[" + commas(n, "%d") + "]" })},
		{name: "JSON array of objects", files: jsonValue(func(n int) string { return "[" + commas(n, `{"a":%d}`) + "]" })},
		{name: "JSON object", files: jsonValue(func(n int) string { return "{" + commas(n, `"k%d":1`) + "}" })},
		{name: "JSON arguments", files: jsonBody(func(n int) string { return commas(n, `"k%d":1`) })},
		{name: "JSON, nested arrays", files: jsonValue(func(n int) string {
			return "[" + commas(n/100+1, repeat(100, `{"a":[`)+repeat(100, "]}")) + "]"
		})},
		{name: "JSON string", files: jsonValue(func(n int) string { return `"` + repeat(n, "abcde") + `"` })},
		{name: "JSON escapes", files: jsonValue(func(n int) string { return `"` + repeat(n, `\u00e9\"`) + `"` })},
		{name: "JSON templates", files: jsonValue(func(n int) string { return "[" + commas(n, `"${var.x%d}"`) + "]" })},
		{name: "JSON template", superlinear: true, files: jsonValue(func(n int) string { return `"` + repeat(n, `${var.x%d}b`) + `"` })},
		{name: "JSON resources", files: func(n int) map[string]string {
			return jsonPair(`{"resource":{"x_a":{"web":{"x":0},`+commas(n, `"n%d":{"x":1}`)+`}}}`, `{"resource":{"x_a":{"web":{"x":1}}}}`)
		}},
		{name: "JSON blocks", files: jsonBody(func(n int) string { return `"disk":[` + commas(n, `{"size":%d}`) + `]` })},
		{name: "JSON, duplicate properties", files: jsonBody(func(n int) string { return commas(n, `"x":1`) })},
		{name: "JSON, duplicate resources", files: func(n int) map[string]string {
			return jsonPair(`{"resource":{"x_a":{"web":{`+commas(n, `"k%d":1`)+`},`+commas(n, `"web":{}`)+`}}}`, "{}")
		}},
		{name: "JSON, wrong types", files: func(n int) map[string]string {
			return jsonPair(`{"resource":{"x_a":{`+commas(n, `"b%d":1`)+`}}}`, "{}")
		}},
		{name: "JSON, unknown properties", files: func(n int) map[string]string {
			return jsonPair(`{`+commas(n, `"resourc%d":1`)+`}`, "{}")
		}},
	}
}

// pair is a primary file and an override file.
func pair(primary, override string) map[string]string {
	return map[string]string{"main.tf": primary, "override.tf": override}
}

func jsonPair(primary, override string) map[string]string {
	return map[string]string{"main.tf.json": primary, "override.tf.json": override}
}

// commas is a text n times with commas between.
func commas(n int, format string) string {
	return strings.TrimSuffix(repeat(n, format+","), ",")
}

// deep is an argument whose value nests n times and is never closed.
func deep(opening string) func(int) map[string]string {
	return func(n int) map[string]string {
		return pair("locals {\n  x = "+strings.Repeat(opening, n), "")
	}
}

// jsonBody is a resource with a body, which an override sets again.
func jsonBody(body func(int) string) func(int) map[string]string {
	return func(n int) map[string]string {
		text := `{"resource":{"x_a":{"web":{` + body(n) + `}}}}`
		return jsonPair(text, text)
	}
}

// jsonValue is a resource with one argument, which an override sets again.
func jsonValue(value func(int) string) func(int) map[string]string {
	return jsonBody(func(n int) string { return `"x":` + value(n) })
}

func jsonLocal(value func(int) string) func(int) map[string]string {
	return func(n int) map[string]string { return jsonPair(`{"locals":{"x":`+value(n)+`}}`, "{}") }
}
