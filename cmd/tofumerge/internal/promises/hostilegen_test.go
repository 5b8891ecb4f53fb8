package promises_test

import (
	"fmt"
	"strings"
)

// A hostileInput is a module in which something is there n times. Time, memory
// and output of every command have to be in proportion to n.
type hostileInput struct {
	name  string
	files func(n int) map[string]string // by name
	// superlinear is set if the parser of the language takes more than proportional time, so that
	// the input has to be small.
	superlinear bool
}

// hostileInputs are modules in which one part grows: repeated overrides, neighbours in one body,
// and items without effect.
func hostileInputs() []hostileInput {
	return []hostileInput{
		{name: "overrides in one file", files: inOneFile(webBase, webOverride)},
		{name: "override files", files: inFiles(webBase, webOverride)},
		{name: "overrides of JSON", files: inOneFile(`{"resource": {"x_a": {"web": {"size": "s", "disk": [{"n": 0}]}}}}`, webOverride)},
		{name: "nested blocks in a base", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     "resource \"x_a\" \"web\" {\n" + repeat(n, "  disk {\n    n = %d\n  }\n") + "}\n",
				"override.tf": block(`resource "x_a" "web"`, "  disk {\n    m = 1\n  }\n"),
			}
		}},
		{name: "nested blocks in an override", files: insideOverride(webBase, `resource "x_a" "web"`, "  disk {\n    n = %d\n  }\n")},
		{name: "static and dynamic blocks in turns", files: insideOverride(webBase, `resource "x_a" "web"`, "  disk {\n    n = %[1]d\n  }\n  dynamic \"disk\" {\n    for_each = [%[1]d]\n    content {}\n  }\n")},
		{name: "types of nested blocks", files: insideOverride(webBase, `resource "x_a" "web"`, "  disk%d {}\n")},
		{name: "arguments in an override", files: insideOverride(webBase, `resource "x_a" "web"`, "  size%[1]d = %[1]d\n")},
		{name: "arguments in both", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block(`resource "x_a" "web"`, repeat(n, "  size%[1]d = 0\n")),
				"override.tf": block(`resource "x_a" "web"`, repeat(n, "  size%[1]d = 1\n")),
			}
		}},
		{name: "dropped keys", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block(`resource "x_a" "web"`, "  tags = {\n"+repeat(n, "    k%[1]d = 0\n")+"  }\n"),
				"override.tf": block(`resource "x_a" "web"`, "  tags = {\n    size = 1\n  }\n"),
			}
		}},
		{name: "equal arguments", files: func(n int) map[string]string {
			locals := block("locals", repeat(n, "  l%[1]d = 0\n"))
			return map[string]string{"main.tf": locals, "override.tf": locals}
		}},
		{name: "properties in both, JSON", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf.json":     jsonBlock("x_a", "web", n, 0),
				"override.tf.json": jsonBlock("x_a", "web", n, 1),
			}
		}},
		{name: "lifecycle without effect", files: inOneFile(webBase, block(`resource "x_a" "web"`, "  lifecycle {\n    enabled = true\n  }\n"))},
		{name: "replace_triggered_by", files: inOneFile(webBase, block(`resource "x_a" "web"`, "  lifecycle {\n    replace_triggered_by = [x_b.c%d]\n  }\n"))},
		{name: "provider_meta", files: inOneFile("terraform {\n  provider_meta \"x\" {\n    a = 1\n  }\n}\n", block("terraform", "  provider_meta \"x\" {\n    a = %d\n  }\n"))},
		{name: "missing bases", files: inOneFile(repeat(3, "resource \"x_a\" \"web%d\" {}\n"), "resource \"x_a\" \"wab%d\" {\n  size = 1\n}\n")},
		{name: "missing variables", files: inOneFile(repeat(3, "variable \"web%d\" {}\n"), "variable \"wab%d\" {\n  default = 1\n}\n")},
		{name: "resources", files: each("resource \"x_a\" \"web%d\" {\n  size = 1\n}\n", "resource \"x_a\" \"web%d\" {\n  size = 2\n}\n")},
		{name: "variables", files: each("variable \"v%d\" {\n  type    = string\n  default = 1\n}\n", "variable \"v%d\" {\n  type = number\n}\n")},
		{name: "overrides of one variable", files: inOneFile("variable \"v\" {\n  default = 0\n}\n", "variable \"v\" {\n  default = %d\n}\n")},
		{name: "types of one variable", files: inOneFile("variable \"v\" {\n  default = 0\n}\n", "variable \"v\" {\n  type = number\n}\nvariable \"v\" {\n  type = string\n}\n")},
		{name: "local values", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block("locals", repeat(n, "  l%[1]d = 0\n")),
				"override.tf": block("locals", repeat(n, "  l%[1]d = 1\n")),
			}
		}},
		{name: "locals blocks", files: each("locals {\n  l%d = 0\n}\n", "locals {\n  l%d = 1\n}\n")},
		{name: "overrides of one local value", files: inOneFile("locals {\n  l = 0\n}\n", "locals {\n  l = %d\n}\n")},
		{name: "files that override one local value", files: inFiles("locals {\n  l = 0\n}\n", "locals {\n  l = %d\n}\n")},
		{name: "required providers", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block("terraform", block("required_providers", repeat(n, "    p%[1]d = { version = \"1\" }\n"))),
				"override.tf": block("terraform", block("required_providers", repeat(n, "    p%[1]d = { version = \"2\" }\n"))),
			}
		}},
		{name: "overrides of required providers", files: inOneFile("terraform {}\n", block("terraform", block("required_providers", "    p = \"%d\"\n")))},
		{name: "provisioners", files: insideOverride(webBase, `resource "x_a" "web"`, "  provisioner \"local-exec\" {\n    command = \"%d\"\n  }\n")},
		{name: "aliases", files: each("provider \"x\" {\n  alias = \"a%d\"\n  r = 1\n}\n", "provider \"x\" {\n  alias = \"a%d\"\n  r = 2\n}\n")},
		{name: "default providers", files: each("provider \"p%d\" {\n  alias = \"a\"\n}\n", "provider \"p%d\" {\n  r = 1\n}\n")},
		{name: "default providers, JSON", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf.json": `{"provider": {"p": {}` + repeat(n, ",\n\"p%d\": {\"alias\": \"a\"}") + "}}",
				"override.tf":  repeat(n, "provider \"p%d\" {\n  r = 1\n}\n"),
			}
		}},
		{name: "comments that suppress", files: inOneFile(webBase, "# tofumerge:ignore superseded-override because\n"+webOverride)},
		{name: "comments that suppress, on one block", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase,
				"override.tf": repeat(n, "# tofumerge:ignore no-effect number %d\n") + block(`resource "x_a" "web"`, "  lifecycle {\n    enabled = true\n  }\n"),
			}
		}},
		{name: "comments in a base", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     "resource \"x_a\" \"web\" {\n" + repeat(n, "  # comment %d\n") + "  size = 1\n}\n",
				"override.tf": repeat(n, webOverride),
			}
		}},
		{name: "lines of a heredoc", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase,
				"override.tf": block(`resource "x_a" "web"`, "  script = <<-EOT\n"+repeat(n, "    line %d\n")+"  EOT\n"),
			}
		}},
		{name: "moved blocks", files: func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase + repeat(n, "moved {\n  from = x_a.a%[1]d\n  to   = x_a.b%[1]d\n}\n"),
				"override.tf": repeat(1, webOverride),
			}
		}},
		{name: "removed blocks", files: each("removed {\n  from = x_a.a%d\n}\nresource \"x_a\" \"web%[1]d\" {}\n", "resource \"x_a\" \"web%d\" {}\n")},
		{name: "overrides of a backend", files: inFiles("terraform {\n  backend \"a\" {}\n}\n", block("terraform", "  backend \"b%d\" {}\n"))},
		{name: "backend and cloud in turns", files: func(n int) map[string]string {
			files := map[string]string{"main.tf": "terraform {\n  backend \"a\" {}\n}\n"}
			for i := range n {
				files[fmt.Sprintf("o%06da_override.tf", i)] = block("terraform", "  cloud {}\n")
				files[fmt.Sprintf("o%06db_override.tf", i)] = block("terraform", "  backend \"b\" {}\n")
			}
			return files
		}},
		{name: "versions required", files: inOneFile("terraform {\n  required_version = \">= 1\"\n}\n", block("terraform", "  required_version = \">= 1.%d\"\n"))},
		{name: "count and for_each in turns", files: inOneFile("resource \"x_a\" \"web\" {\n  count = 1\n}\n", "resource \"x_a\" \"web\" {\n  for_each = {}\n}\nresource \"x_a\" \"web\" {\n  count = %d\n}\n")},
		{name: "outputs", files: each("output \"o%d\" {\n  value     = 1\n  sensitive = true\n}\n", "output \"o%d\" {\n  value = 2\n}\n")},
		{name: "depends_on", files: inOneFile(webBase, block(`resource "x_a" "web"`, "  depends_on = [x_b.c%d]\n"))},
		{name: "checks", files: each("resource \"x_a\" \"web%[1]d\" {}\ncheck \"c%[1]d\" {\n  assert {\n    condition     = x_a.web%[1]d.size > 0\n    error_message = \"%[1]d is wrong.\"\n  }\n}\n", "resource \"x_a\" \"web%d\" {}\n")},
		{name: "conditions in a base", files: func(n int) map[string]string {
			conditions := repeat(n, "    precondition {\n      condition     = x_b.c.size > %[1]d\n      error_message = \"%[1]d is wrong.\"\n    }\n")
			return map[string]string{"main.tf": block(`resource "x_a" "web"`, block("  lifecycle", conditions)), "override.tf": number(webOverride, 0)}
		}},
		{name: "conditions refused", files: func(n int) map[string]string {
			conditions := repeat(n, "    precondition {\n      condition     = x_b.c.size > %[1]d\n      error_message = \"%[1]d is wrong.\"\n    }\n")
			return map[string]string{"main.tf": webBase, "override.tf": block(`resource "x_a" "web"`, block("  lifecycle", conditions))}
		}},
	}
}

const (
	webBase     = "resource \"x_a\" \"web\" {\n  size = \"s\"\n\n  disk {\n    n = 0\n  }\n}\n"
	webOverride = "resource \"x_a\" \"web\" {\n  size = \"m%[1]d\"\n\n  disk {\n    n = %[1]d\n  }\n}\n"
)

// inOneFile overrides a base n times from one file.
func inOneFile(base, override string) func(int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{mainFor(base): base, "override.tf": repeat(n, override)}
	}
}

// inFiles overrides a base from n files.
func inFiles(base, override string) func(int) map[string]string {
	return func(n int) map[string]string {
		files := map[string]string{mainFor(base): base}
		for i := range n {
			files[fmt.Sprintf("o%06d_override.tf", i)] = number(override, i)
		}
		return files
	}
}

func mainFor(text string) string {
	if strings.HasPrefix(text, "{") {
		return "main.tf.json"
	}
	return "main.tf"
}

// insideOverride overrides a base once, with a block that holds n items.
func insideOverride(base, header, item string) func(int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{mainFor(base): base, "override.tf": block(header, repeat(n, item))}
	}
}

// each overrides each of n bases.
func each(base, override string) func(int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{"main.tf": repeat(n, base), "override.tf": repeat(n, override)}
	}
}

func block(header, body string) string { return header + " {\n" + body + "}\n" }

// repeat is a text n times, with the number of each time.
func repeat(n int, format string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(number(format, i))
	}
	return out.String()
}

func number(format string, i int) string {
	if !strings.Contains(format, "%") {
		return format
	}
	return fmt.Sprintf(format, i)
}

func jsonBlock(typ, name string, n, value int) string {
	var args []string
	for i := range n {
		args = append(args, fmt.Sprintf("%q: %d", fmt.Sprintf("size%d", i), value))
	}
	return fmt.Sprintf(`{"resource": {%q: {%q: {%s}}}}`, typ, name, strings.Join(args, ",\n"))
}
