// Package loadtest is support for tests: modules that are archives in testdata, loaded
// in memory, modules made from seeds, and what expressions mean apart from their spelling.
//
// Only tests import it.
package loadtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"pgregory.net/rapid"
)

// A Generator makes random modules with override files from a seed: the same seed always makes the same module. Tests
// of properties, fuzzing and benchmarks use it.
type Generator struct {
	*rand.Rand
	EOL    string         // the line end
	Engine engine.Release // unknown syntax is left out
	// Tidy omits comments where the formatter needs more than one pass.
	Tidy bool
}

// NewGenerator returns a generator for a seed, which also decides between Unix and Windows line ends.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{Rand: rand.New(rand.NewPCG(seed, 42)), EOL: "\n", Engine: engine.Default()}
	if g.IntN(6) == 0 {
		g.EOL = "\r\n"
	}
	return g
}

// DrawEngine draws one of the known engines, half of the time the default one,
// which most people follow.
func DrawEngine(t *rapid.T) engine.Release {
	return rapid.OneOf(rapid.Just(engine.Default()), rapid.SampledFrom(engine.Observed())).Draw(t, "engine")
}

// Module returns the files of a module by name. The override files address declarations of the primary files and
// follow the rules for each, so the module has no errors.
func (g *Generator) Module() map[string]string {
	files := map[string]string{}
	var things []thing
	for i := range 1 + g.IntN(3) {
		var blocks []string
		for j := range 2 + g.IntN(4) {
			th := g.drawThing(fmt.Sprintf("n%d_%d", i, j))
			things = append(things, th)
			blocks = append(blocks, g.comment("")+g.block(th, false))
		}
		if i == 0 {
			blocks = append(blocks, g.terraform())
			things = append(things, thing{kind: "terraform"})
		}
		if g.IntN(4) == 0 {
			blocks = append(blocks, g.comment("")+g.pick("moved {\n  from = x_y.a\n  to   = x_y.b\n}\n", fmt.Sprintf("import {\n  to = x_y.c%d\n  id = \"1\"\n}\n", i)))
		}
		files[fmt.Sprintf("f%d.tf", i)] = g.file(blocks)
	}
	for i := range 1 + g.IntN(3) {
		var blocks []string
		hasTerraform := false // a file gets at most one terraform block
		for range 1 + g.IntN(5) {
			th := things[g.IntN(len(things))]
			if th.kind == "terraform" {
				if hasTerraform {
					continue
				}
				hasTerraform = true
			}
			blocks = append(blocks, g.comment("")+g.block(th, true))
		}
		if g.IntN(6) == 0 {
			blocks = append(blocks, g.comment("")+"provider \"only\" {\n  a = 1\n}\n")
		}
		files[fmt.Sprintf("%c_override.tf", 'a'+i)] = g.file(blocks)
	}
	return files
}

// file returns the text of a file with these blocks, sometimes without the last line end or with a byte order mark.
func (g *Generator) file(blocks []string) string {
	text := strings.Join(blocks, g.pick("", "", "\n", "\n\n"))
	if g.IntN(8) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	text = strings.ReplaceAll(text, "\n", g.EOL)
	if g.IntN(10) == 0 {
		text = "\xef\xbb\xbf" + text
	}
	return text
}

// pick returns one of the texts at random.
func (g *Generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// ifKnown returns text if the engine knows the path of its argument or block, such as variable/deprecated; otherwise
// "".
func (g *Generator) ifKnown(path, text string) string {
	if !language.HasPath(path, g.Engine) {
		return ""
	}
	return text
}

// A thing is what a block of a primary file declares. kind is the type of the block; "provider.west" is a provider
// with the alias west.
type thing struct{ kind, name string }

// drawThing returns a thing of a random kind, with this name.
func (g *Generator) drawThing(name string) thing {
	kind := g.pick("resource", "resource", "resource", "data", "variable", "output", "locals", "module", "provider", "provider.west", "ephemeral")
	if kind == "ephemeral" && !language.HasPath("ephemeral", g.Engine) {
		kind = "data"
	}
	return thing{kind, name}
}

// header returns the type and the labels of a block for the thing: resource "x_y" "n0_1", or variable "n0x1".
func (t thing) header() string {
	switch t.kind {
	case "provider.west": // the alias isn't in the header
		t.kind = "provider"
	case "resource", "data", "ephemeral":
		return fmt.Sprintf("%s \"x_y\" %q", t.kind, t.name)
	case "locals", "terraform":
		return t.kind
	}
	return fmt.Sprintf("%s %q", t.kind, t.label())
}

// label returns the only label of a block that has just one: the name with an x for each underscore, because the type
// of a provider can't contain one.
func (t thing) label() string { return strings.ReplaceAll(t.name, "_", "x") }

// block returns a block that declares the thing or, if isOverride, overrides it. Its layout and comments are random.
func (g *Generator) block(t thing, isOverride bool) string {
	if t.kind == "terraform" {
		return g.terraform()
	}
	lines := g.body(t, isOverride)
	if len(lines) == 0 {
		return t.header() + " {}" + g.trailingComment() + "\n"
	}
	if len(lines) == 1 && g.IntN(3) == 0 && fitsBetweenBraces(lines[0]) {
		return t.header() + " { " + lines[0] + " }" + g.trailingComment() + "\n"
	}
	indent := g.pick("  ", "  ", "  ", "\t", "    ", "")
	var out strings.Builder
	out.WriteString(t.header() + " {" + g.trailingComment() + "\n")
	for _, line := range lines {
		out.WriteString(g.comment(indent))
		out.WriteString(indent + strings.ReplaceAll(line, "\n", "\n"+indent) + "\n")
		out.WriteString(g.pick("", "", "", "\n"))
	}
	out.WriteString(g.comment(indent) + "}" + g.trailingComment() + "\n")
	return out.String()
}

// fitsBetweenBraces reports whether an item of a body can stand on one line with the braces: it is an argument on a
// single line, without a comment or braces of its own.
func fitsBetweenBraces(item string) bool {
	return strings.Contains(item, "=") && !strings.ContainsAny(item, "\n#/{")
}

// comment returns a comment on lines of its own, but four times out of five "".
func (g *Generator) comment(indent string) string {
	if g.IntN(5) > 0 {
		return ""
	}
	if g.Tidy {
		return indent + "# note\n"
	}
	return indent + g.pick("# note", "// note", "/* note */", "/* two\n   lines */") + "\n" + g.pick("", "\n")
}

// trailingComment returns a comment to follow an item on its line, but mostly "".
func (g *Generator) trailingComment() string {
	if g.Tidy {
		return ""
	}
	return g.pick("", "", "", "", "", " # tail", " // tail", " /* tail */", "  /* a */ # b")
}

// body returns the contents of a block, one item each, in random order. An override has only some of them.
func (g *Generator) body(t thing, override bool) []string {
	switch t.kind {
	case "resource":
		lifecycle := g.lifecycle()
		lines := g.arguments()
		if !strings.Contains(lifecycle, "enabled") { // which excludes count and for_each
			// Here alias is an argument for the provider, like any other.
			lines = append(lines, g.pick("alias = 1", "count = 1", "count = var.n", "for_each = var.s"))
		}
		lines = append(lines, g.pick("", "provider = x.west", "provider = x"), g.pick("", "password = \"hunter2\""))
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		nested, provisioners := g.nested(), g.provisioners()
		escaping := g.pick("", "_ {\n  count = 3\n}") // in _, count is an argument for the provider
		return g.shuffled(override, lines, nested, provisioners, lifecycle, escaping)
	case "data", "ephemeral":
		return g.shuffled(override, g.arguments(), g.nested(), g.pick("", "", "count = var.n", "for_each = {}"))
	case "provider.west":
		return append(g.shuffled(override, g.arguments(), g.nested()), "alias = \"west\"") // also in overrides, to address it
	case "variable":
		return g.shuffled(override, []string{"default = " + g.pick(`"a"`, `"7"`, "1"), "description = " + g.pick(`"d"`, `"e"`)}, g.pick("", "type = string", "type = any"), g.pick("", "sensitive = true"), g.pick("", "nullable = false"),
			g.condition("validation", "var."+t.label(), override), g.ifKnown("variable/deprecated", g.pick("", "deprecated = \"old\"", "deprecated = \"gone\"")))
	case "output":
		// All lines stay, also in an override; only value may be missing there.
		lines := g.shuffled(false, []string{"description = " + g.pick(`"d"`, `""`)}, g.pick("", "sensitive = true"), g.condition("precondition", "var.x", override), g.ifKnown("output/deprecated", g.pick("", "deprecated = \"old\"")))
		if !override || g.IntN(2) == 0 {
			lines = append(lines, "value = "+g.value())
		}
		return lines
	case "locals":
		return []string{t.name + " = " + g.withComment(g.value())}
	case "module":
		lines := g.shuffled(override, g.arguments(), g.pick("", "count = 1", "for_each = {}"), g.pick("", "providers = {}", "providers = {\n  x   = x.west\n  x.b = x\n}"))
		if !override {
			lines = append([]string{`source = "./m"`}, lines...)
		}
		return lines
	}
	return g.shuffled(override, g.arguments(), g.nested())
}

// condition returns a block of the type typ with a condition on about, or "". In overrides it is always "", because
// engines refuse conditions there.
func (g *Generator) condition(typ, about string, override bool) string {
	if override {
		return ""
	}
	return g.pick("", "", typ+" {\n  condition     = "+about+" != \"never\"\n  error_message = \"Never.\"\n}")
}

// shuffled returns the lines of all groups in random order; for an override, only the first few of them. A group is a
// string with one line, "" for none, or a []string. No name may appear twice.
func (g *Generator) shuffled(override bool, groups ...any) (lines []string) {
	for _, group := range groups {
		switch group := group.(type) {
		case string:
			if group != "" {
				lines = append(lines, group)
			}
		case []string:
			lines = append(lines, group...)
		}
	}
	g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	if override && len(lines) > 1 {
		lines = lines[:1+g.IntN(len(lines))]
	}
	return lines
}

// arguments returns some arguments as a provider might define them, each name at most once.
func (g *Generator) arguments() (lines []string) {
	for _, name := range []string{"alpha", "be", "gamma_gamma"} {
		if g.IntN(3) > 0 {
			lines = append(lines, name+g.pick(" = ", " = ", "=", "   =  ", g.commentedEquals())+g.withComment(g.value()))
		}
	}
	return lines
}

// commentedEquals returns an equals sign behind a comment.
func (g *Generator) commentedEquals() string {
	if g.Tidy {
		return " = "
	}
	return " /* why */ = "
}

// withComment returns a value, perhaps with a comment behind it. A heredoc stays, because its end must be alone on a
// line.
func (g *Generator) withComment(value string) string {
	if strings.HasPrefix(value, "<<") {
		return value
	}
	return value + g.trailingComment()
}

// value returns a random expression: a constant, a list, an object, a heredoc, a template or a reference.
func (g *Generator) value() string {
	return g.pick("1", `"text"`, "null", "[1,\n  2]", "{ a = 1 }", "{\n  a = 1 # one\n  b = 2\n}",
		"<<EOT\n  heredoc\nEOT", "<<-EOT\n    heredoc ${var.x}\n    EOT", `"${var.a}-%{if true}x%{endif}"`, "var.b[*].c", "(1 +\n  2)", "[for k in var.l : k if k != null]")
}

// nested returns nested blocks as a provider might define them, some of them dynamic.
func (g *Generator) nested() (lines []string) {
	for range g.IntN(3) {
		typ := g.pick("disk", "rule")
		switch g.IntN(4) {
		case 0:
			lines = append(lines, fmt.Sprintf("dynamic %q {\n  for_each = var.l\n  content {\n    a = %d\n  }\n}", typ, g.IntN(9)))
		case 1:
			lines = append(lines, typ+" {}"+g.trailingComment())
		default:
			lines = append(lines, fmt.Sprintf("%s {%s\n  a = %d\n  # inner\n}%s", typ, g.trailingComment(), g.IntN(9), g.trailingComment()))
		}
	}
	return lines
}

// provisioners returns at most two provisioners, perhaps with a connection block.
func (g *Generator) provisioners() (lines []string) {
	for range max(0, g.IntN(5)-2) { // three times out of five none
		lines = append(lines, g.pick("provisioner \"local-exec\" {\n  command = \"c\"\n}", "provisioner \"file\" {"+g.trailingComment()+"\n  source      = \"a\"\n  destination = \"b\"\n}"))
	}
	if len(lines) > 0 && g.IntN(2) == 0 {
		lines = append(lines, g.pick("connection {\n  host     = \"h\"\n  password = \"p\" # secret\n}", "connection {}"))
	}
	return lines
}

// lifecycle returns a lifecycle block, or "".
func (g *Generator) lifecycle() string {
	if g.IntN(3) == 0 {
		return ""
	}
	return g.pick("lifecycle { create_before_destroy = true }", "lifecycle {\n  ignore_changes = all\n}",
		"lifecycle {\n  ignore_changes = [alpha]\n  prevent_destroy = true # keep\n}", g.ifKnown("resource/lifecycle/enabled", "lifecycle {\n  enabled = true\n}"), "lifecycle {\n  replace_triggered_by = [x_y.other]\n}")
}

// terraform returns a terraform block with random settings.
func (g *Generator) terraform() string {
	return "terraform {\n" + strings.Join([]string{
		g.pick("", "  required_version = \">= 1.0\"\n", "  required_version = \"> 1.1\"\n"),
		g.pick("", "  backend \"s3\" {\n    bucket = \"a\"\n  }\n", "  cloud {\n    organization = \"o\"\n  }\n"),
		g.pick("", "  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n"+g.pick("", "    x = \"1.0\" # pinned\n")+"  }\n"),
	}, g.pick("", "\n")) + "}\n"
}

// InOrder returns the texts of files in the order of their names.
func InOrder(files map[string]string) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		texts = append(texts, files[name])
	}
	return texts
}

// Syntax independence: a file means the same in JSON as in native syntax, whatever the syntax of
// the other files.

// A jsonWriter translates a native file, src, to JSON in the plainest way: one array element for each block, ${...}
// around everything that isn't a literal. It shares no code with the program, because it tests how that reads JSON.
type jsonWriter struct{ src []byte }

// textNames are arguments in which a JSON string stands for itself, or for
// native source text.
var (
	textNames   = []string{"description", "deprecated", "default", "required_version", "alias", "sensitive", "nullable", "create_before_destroy"}
	nativeNames = []string{"type", "ignore_changes", "replace_triggered_by", "providers"}
)

// inJSON translates the text of a native file to JSON.
func inJSON(t testing.TB, text string) string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return jsonWriter{[]byte(text)}.body(f.Body.(*hclsyntax.Body), "")
}

// body returns the JSON object of a block's body, with a property for each item, in source order. in is the type of
// the block; "" for the file.
func (w jsonWriter) body(b *hclsyntax.Body, in string) string {
	props := map[int]string{}
	for name, a := range b.Attributes {
		props[a.SrcRange.Start.Byte] = quoted(name) + ": " + w.argument(in, a)
	}
	for _, nb := range b.Blocks {
		value := w.body(nb.Body, nb.Type)
		// Nested blocks without labels, and dynamic ones, may be repeated, so they are in arrays, except for those
		// that the language allows once. Other labelled blocks, such as provisioner, and top-level ones are objects.
		isNested := in != "" && len(nb.Labels) == 0
		isAllowedOnce := slices.Contains([]string{"lifecycle", "_", "content", "required_providers", "cloud"}, nb.Type)
		if nb.Type == "dynamic" || isNested && !isAllowedOnce {
			value = "[" + value + "]"
		}
		for _, label := range slices.Backward(nb.Labels) {
			value = "{" + quoted(label) + ": " + value + "}"
		}
		props[nb.TypeRange.Start.Byte] = quoted(nb.Type) + ": " + value
	}
	var list []string
	for _, at := range slices.Sorted(maps.Keys(props)) {
		list = append(list, props[at])
	}
	return "{" + strings.Join(list, ",\n") + "}"
}

// quoted returns a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// argument returns the JSON value for an argument of a block of the type in. It depends on how engines read a JSON
// string there: as native source text, as plain text, or as a template.
func (w jsonWriter) argument(in string, a *hclsyntax.Attribute) string {
	hasSourceName := slices.Contains(nativeNames, a.Name) && in != "resource" // there it is an argument of the provider
	isProvider := a.Name == "provider" && in == "resource"
	isAddress := a.Name == "to" || a.Name == "from"
	switch {
	case hasSourceName, isProvider, isAddress: // native source text
		return w.native(a.Expr)
	case slices.Contains(textNames, a.Name), in == "required_providers": // plain text
		return w.constant(a.Expr)
	}
	// A template: a literal, a constant string, or else ${...} around the expression.
	switch e := a.Expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return string(e.Range().SliceBytes(w.src))
	case *hclsyntax.TemplateExpr:
		if v, diags := e.Value(nil); !diags.HasErrors() && !strings.ContainsAny(v.AsString(), "$%") {
			return quoted(v.AsString())
		}
	}
	text := string(a.Expr.Range().SliceBytes(w.src))
	return quoted("${" + text + "\n}") // the line end closes a heredoc
}

// constant returns a constant in JSON: a string, another literal, or an object of these.
func (w jsonWriter) constant(e hclsyntax.Expression) string {
	if obj, ok := e.(*hclsyntax.ObjectConsExpr); ok {
		var list []string
		for _, item := range obj.Items {
			list = append(list, w.constant(item.KeyExpr)+": "+w.constant(item.ValueExpr))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	if v, _ := e.Value(nil); v.Type().FriendlyName() == "string" {
		return quoted(v.AsString())
	}
	return string(e.Range().SliceBytes(w.src))
}

// native returns the value of an argument in whose strings engines read native source text, such as type or to: the
// text without ${ }. Of a list or an object, it translates each element, with its key, to such a string: JSON for
// [a.b] is ["a.b"].
func (w jsonWriter) native(e hclsyntax.Expression) string {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		var list []string
		for _, elem := range e.Exprs {
			list = append(list, w.native(elem))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case *hclsyntax.ObjectConsExpr:
		var list []string
		for _, item := range e.Items {
			list = append(list, w.native(item.KeyExpr)+": "+w.native(item.ValueExpr))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return quoted(string(e.Range().SliceBytes(w.src)))
}

// Mixed translates some of the files, chosen at random, to JSON: x.tf becomes x.tf.json. The order of the files
// stays, since both names sort the same way.
func Mixed(t testing.TB, g *Generator, files map[string]string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if g.IntN(2) == 0 {
			all[name] = files[name]
			continue
		}
		withoutMark := strings.TrimPrefix(files[name], "\xef\xbb\xbf")
		all[name+".json"] = inJSON(t, withoutMark)
	}
	return all
}
