package main

import (
	"fmt"
	"strings"
)

// A hostileInput is a module in which something is there n times. Time, memory
// and output of every command have to be in proportion to n.
type hostileInput struct {
	name  string
	files func(n int) map[string]string // by name
}

// hostileInputs are modules of which one thing grows: what is overridden again
// and again, what stands beside each other in one body, and what has no effect.
func hostileInputs() []hostileInput {
	return []hostileInput{
		{"overrides in one file", inOneFile(webBase, webOverride)},
		{"override files", inFiles(webBase, webOverride)},
		{"overrides of JSON", inOneFile(`{"resource": {"x_a": {"web": {"size": "s", "disk": [{"n": 0}]}}}}`, webOverride)},
		{"nested blocks in a base", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     "resource \"x_a\" \"web\" {\n" + repeat(n, "  disk {\n    n = %d\n  }\n") + "}\n",
				"override.tf": block(`resource "x_a" "web"`, "  disk {\n    m = 1\n  }\n"),
			}
		}},
		{"nested blocks in an override", insideOverride(webBase, `resource "x_a" "web"`, "  disk {\n    n = %d\n  }\n")},
		{"static and dynamic blocks in turns", insideOverride(webBase, `resource "x_a" "web"`, "  disk {\n    n = %[1]d\n  }\n  dynamic \"disk\" {\n    for_each = [%[1]d]\n    content {}\n  }\n")},
		{"types of nested blocks", insideOverride(webBase, `resource "x_a" "web"`, "  disk%d {}\n")},
		{"arguments in an override", insideOverride(webBase, `resource "x_a" "web"`, "  size%[1]d = %[1]d\n")},
		{"arguments in both", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block(`resource "x_a" "web"`, repeat(n, "  size%[1]d = 0\n")),
				"override.tf": block(`resource "x_a" "web"`, repeat(n, "  size%[1]d = 1\n")),
			}
		}},
		{"properties in both, JSON", func(n int) map[string]string {
			return map[string]string{
				"main.tf.json":     jsonBlock("x_a", "web", n, 0),
				"override.tf.json": jsonBlock("x_a", "web", n, 1),
			}
		}},
		{"lifecycle without effect", inOneFile(webBase, block(`resource "x_a" "web"`, "  lifecycle {\n    enabled = true\n  }\n"))},
		{"replace_triggered_by", inOneFile(webBase, block(`resource "x_a" "web"`, "  lifecycle {\n    replace_triggered_by = [x_b.c%d]\n  }\n"))},
		{"provider_meta", inOneFile("terraform {\n  provider_meta \"x\" {\n    a = 1\n  }\n}\n", block("terraform", "  provider_meta \"x\" {\n    a = %d\n  }\n"))},
		{"missing bases", inOneFile(repeat(3, "resource \"x_a\" \"web%d\" {}\n"), "resource \"x_a\" \"wab%d\" {\n  size = 1\n}\n")},
		{"missing variables", inOneFile(repeat(3, "variable \"web%d\" {}\n"), "variable \"wab%d\" {\n  default = 1\n}\n")},
		{"resources", each("resource \"x_a\" \"web%d\" {\n  size = 1\n}\n", "resource \"x_a\" \"web%d\" {\n  size = 2\n}\n")},
		{"variables", each("variable \"v%d\" {\n  type    = string\n  default = 1\n}\n", "variable \"v%d\" {\n  type = number\n}\n")},
		{"overrides of one variable", inOneFile("variable \"v\" {\n  default = 0\n}\n", "variable \"v\" {\n  default = %d\n}\n")},
		{"types of one variable", inOneFile("variable \"v\" {\n  default = 0\n}\n", "variable \"v\" {\n  type = number\n}\nvariable \"v\" {\n  type = string\n}\n")},
		{"local values", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block("locals", repeat(n, "  l%[1]d = 0\n")),
				"override.tf": block("locals", repeat(n, "  l%[1]d = 1\n")),
			}
		}},
		{"locals blocks", each("locals {\n  l%d = 0\n}\n", "locals {\n  l%d = 1\n}\n")},
		{"overrides of one local value", inOneFile("locals {\n  l = 0\n}\n", "locals {\n  l = %d\n}\n")},
		{"files that override one local value", inFiles("locals {\n  l = 0\n}\n", "locals {\n  l = %d\n}\n")},
		{"required providers", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     block("terraform", block("required_providers", repeat(n, "    p%[1]d = { version = \"1\" }\n"))),
				"override.tf": block("terraform", block("required_providers", repeat(n, "    p%[1]d = { version = \"2\" }\n"))),
			}
		}},
		{"overrides of required providers", inOneFile("terraform {}\n", block("terraform", block("required_providers", "    p = \"%d\"\n")))},
		{"provisioners", insideOverride(webBase, `resource "x_a" "web"`, "  provisioner \"local-exec\" {\n    command = \"%d\"\n  }\n")},
		{"aliases", each("provider \"x\" {\n  alias = \"a%d\"\n  r = 1\n}\n", "provider \"x\" {\n  alias = \"a%d\"\n  r = 2\n}\n")},
		{"comments that suppress", inOneFile(webBase, "# tofumerge:ignore superseded-override because\n"+webOverride)},
		{"comments that suppress, on one block", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase,
				"override.tf": repeat(n, "# tofumerge:ignore no-effect number %d\n") + block(`resource "x_a" "web"`, "  lifecycle {\n    enabled = true\n  }\n"),
			}
		}},
		{"comments in a base", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     "resource \"x_a\" \"web\" {\n" + repeat(n, "  # comment %d\n") + "  size = 1\n}\n",
				"override.tf": repeat(n, webOverride),
			}
		}},
		{"lines of a heredoc", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase,
				"override.tf": block(`resource "x_a" "web"`, "  script = <<-EOT\n"+repeat(n, "    line %d\n")+"  EOT\n"),
			}
		}},
		{"moved blocks", func(n int) map[string]string {
			return map[string]string{
				"main.tf":     webBase + repeat(n, "moved {\n  from = x_a.a%[1]d\n  to   = x_a.b%[1]d\n}\n"),
				"override.tf": repeat(1, webOverride),
			}
		}},
		{"removed blocks", each("removed {\n  from = x_a.a%d\n}\nresource \"x_a\" \"web%[1]d\" {}\n", "resource \"x_a\" \"web%d\" {}\n")},
		{"overrides of a backend", inFiles("terraform {\n  backend \"a\" {}\n}\n", block("terraform", "  backend \"b%d\" {}\n"))},
		{"backend and cloud in turns", func(n int) map[string]string {
			files := map[string]string{"main.tf": "terraform {\n  backend \"a\" {}\n}\n"}
			for i := range n {
				files[fmt.Sprintf("o%06da_override.tf", i)] = block("terraform", "  cloud {}\n")
				files[fmt.Sprintf("o%06db_override.tf", i)] = block("terraform", "  backend \"b\" {}\n")
			}
			return files
		}},
		{"versions required", inOneFile("terraform {\n  required_version = \">= 1\"\n}\n", block("terraform", "  required_version = \">= 1.%d\"\n"))},
		{"count and for_each in turns", inOneFile("resource \"x_a\" \"web\" {\n  count = 1\n}\n", "resource \"x_a\" \"web\" {\n  for_each = {}\n}\nresource \"x_a\" \"web\" {\n  count = %d\n}\n")},
		{"outputs", each("output \"o%d\" {\n  value     = 1\n  sensitive = true\n}\n", "output \"o%d\" {\n  value = 2\n}\n")},
		{"depends_on", inOneFile(webBase, block(`resource "x_a" "web"`, "  depends_on = [x_b.c%d]\n"))},
		{"checks", each("resource \"x_a\" \"web%[1]d\" {}\ncheck \"c%[1]d\" {\n  assert {\n    condition     = x_a.web%[1]d.size > 0\n    error_message = \"%[1]d is wrong.\"\n  }\n}\n", "resource \"x_a\" \"web%d\" {}\n")},
		{"conditions in a base", func(n int) map[string]string {
			conditions := repeat(n, "    precondition {\n      condition     = x_b.c.size > %[1]d\n      error_message = \"%[1]d is wrong.\"\n    }\n")
			return map[string]string{"main.tf": block(`resource "x_a" "web"`, block("  lifecycle", conditions)), "override.tf": number(webOverride, 0)}
		}},
		{"conditions refused", func(n int) map[string]string {
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
