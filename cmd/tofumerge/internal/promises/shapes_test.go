//go:build linux

package promises_test

import (
	"strconv"
	"strings"
)

// A shape is a module of which one part grows, as hostile pull requests would make it grow.
type shape struct {
	name string
	// on names the growthCommands that may treat the shape in their own ways. Reading and merging are
	// the same for all.
	on string
	// memory is how many bytes of memory a further byte of the files may take. It isn't measured if the
	// shape can't be large.
	memory float64
	// files are lines "NAME...: TEXT". In a text, ↵ is a line end and ‖ separates parts. A part after *
	// is repeated n times with line ends, and one after + without; @ is the number of each time. A file
	// with an @ in its name is made n times, and one with several names by each of them.
	files string
	// refused is what the program says if a limit refuses the shape.
	refused string
	// n is at least least, and at most most, if set; 4 MB and 100,000 items limit it anyway.
	least, most int
}

// times returns the files of a shape in which something is there n times.
func (s shape) times(n int) map[string]string {
	files := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(s.files)) {
		names, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		text = strings.ReplaceAll(text, "↵", "\n")
		for name := range strings.FieldsSeq(names) {
			if !strings.Contains(name, "@") {
				files[name] = grown(text, n) + "\n"
				continue
			}
			for i := range n {
				files[numbered(name, i)] = numbered(text, i) + "\n"
			}
		}
	}
	return files
}

func grown(text string, n int) string {
	var out strings.Builder
	for part := range strings.SplitSeq(text, "‖") {
		line, isLine := strings.CutPrefix(part, "*")
		piece, isPiece := strings.CutPrefix(part, "+")
		switch {
		case isLine:
			piece = strings.TrimSuffix(line, "\n") + "\n"
		case !isPiece:
			out.WriteString(part)
			continue
		}
		for i := range n {
			out.WriteString(numbered(piece, i))
		}
	}
	return out.String()
}

func numbered(format string, i int) string { return strings.ReplaceAll(format, "@", strconv.Itoa(i)) }

// size is how many bytes the files are if something is there n times. A file is at least a block of
// the disk.
func (s shape) size(n int) (bytes int) {
	for _, text := range s.times(n) {
		bytes += max(4096, len(text))
	}
	return bytes
}

// largest is the largest n at which something is measured that takes little time.
func (s shape) largest() int {
	n := min(100_000, 4<<20*10_000/(s.size(20_000)-s.size(10_000)))
	if s.most > 0 {
		return min(n, s.most)
	}
	return n
}

// What a further byte may take: outlined if the outline reads it, or if it is the output of a tool, and
// parsed if the language's own parser does.
const (
	outlined = 30
	parsed   = 250
)

// web is a resource with overrides, and local one with a single override.
const (
	web   = "main.tf: resource \"x_a\" \"web\" {↵  size = 1↵  disk {↵    n = 0↵  }↵}\n"
	small = web + "override.tf: resource \"x_a\" \"web\" {↵  size = 2↵}\n"
)

var shapes = []shape{
	// Many bases, and many overrides.
	{name: "resources", on: "render json filter list deny fix explain diff changes report flatten lsp", memory: parsed, files: `
main.tf: *resource "x_a" "web@" {↵  size = 1↵}
override.tf: *resource "x_a" "web@" {↵  size = 2↵}`},
	{name: "overrides in one file", on: "annotate check changes report", memory: parsed, files: web + `
override.tf: *resource "x_a" "web" {↵  size = "m@"↵  disk {↵    n = @↵  }↵}`},
	{name: "override files", on: "list check", memory: parsed, files: web + `
o@_override.tf: resource "x_a" "web" {↵  size = "m@"↵  disk {↵    n = @↵  }↵}`},
	{name: "overrides of JSON", on: "diff", memory: parsed, files: `
main.tf.json: {"resource": {"x_a": {"web": {"size": "s", "disk": [{"n": 0}]}}}}
override.tf: *resource "x_a" "web" {↵  size = "m@"↵  disk {↵    n = @↵  }↵}`},
	{name: "locals blocks", on: "report", memory: parsed, files: `
main.tf: *locals {↵  l@ = 0↵}
override.tf: *locals {↵  l@ = 1↵}`},
	{name: "locals blocks without overrides", on: "present absent", memory: parsed, files: `
main.tf: *locals {↵  l@ = 0↵}`},
	{name: "locals blocks, one override", on: "annotate explain absent changes report", memory: parsed, files: `
main.tf: *locals { l@ = "v" }
override.tf: locals {↵‖*  l@ = "w"‖}`},
	{name: "terraform blocks, one override", on: "report", memory: parsed, files: `
main.tf: *terraform { required_version = ">= 1.@" }
override.tf: terraform { required_version = ">= 1.0" }`},
	{name: "local values", on: "present absent lsp other extract", memory: parsed, files: `
main.tf: locals {↵‖*  l@ = 0‖}
override.tf ../edited/main.tf: locals {↵‖*  l@ = 1‖}`},
	{name: "overrides of one local value", on: "present", memory: parsed, files: `
main.tf: locals { l0 = 0 }
override.tf: *locals { l0 = @ }`},
	{name: "missing bases", on: "check", memory: parsed, files: small + `
z_override.tf: *resource "x_a" "wab@" {↵  size = 1↵}`},
	{name: "missing base, long names", on: "check", memory: outlined, files: `
main.tf: resource "x_a" "‖+abcdefghijklmnop‖" {}
override.tf: resource "x_a" "‖+ponmlkjihgfedcba‖" {}`},
	{name: "modules in directories", on: "recursive", memory: parsed, files: `
d@/main.tf: locals { l = 0 }
d@/override.tf: locals { l = @ }`},

	// Neighbours in one body.
	{name: "nested blocks in a base", on: "report", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  disk { n = @ }‖}
override.tf: resource "x_a" "web" {↵  disk { m = 1 }↵}`},
	{name: "nested blocks in both", on: "changes other extract", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  disk { n = @ }‖}
override.tf ../edited/main.tf: resource "x_a" "web" {↵‖*  disk { n = @@ }‖}`},
	{name: "static and dynamic blocks in turns", on: "check", memory: parsed, files: web + `
override.tf: resource "x_a" "web" {↵‖*  disk { n = @ }↵  dynamic "disk" {↵    for_each = [@]↵    content {}↵  }‖}`},
	{name: "nested dynamic", on: "check changes", most: 225, files: `
main.tf: resource "x_a" "web" {↵‖*dynamic "d" {↵for_each = [1]↵content {‖*}↵}‖}
override.tf: resource "x_a" "web" {↵‖*dynamic "d" {↵for_each = [1, 2]↵content {‖*}↵}‖}`},
	{name: "types of nested blocks", on: "report", memory: parsed, files: web + `
override.tf: resource "x_a" "web" {↵‖*  disk@ {}‖}`},
	{name: "arguments in both", on: "fix explain changes report", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  size@ = 0‖}
override.tf: resource "x_a" "web" {↵‖*  size@ = 1‖}`},
	{name: "dropped keys", on: "fix", memory: parsed, least: 4_000, files: `
main.tf: resource "x_a" "web" {↵  tags = {↵‖*    k@ = 0‖}↵}
override.tf: resource "x_a" "web" {↵  tags = {↵    size = 1↵}↵}`},
	{name: "replaced maps", on: "fix", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵  tags = {}↵}
override.tf: *resource "x_a" "web" {↵  tags = { a@ = 1 }↵}‖resource "x_a" "web" {↵  tags = {↵‖*    b@ = 1‖  }↵}`},
	{name: "keys in both", on: "fix changes extract", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵  tags = {↵‖*    k@ = 0‖}↵}
override.tf ../edited/main.tf: resource "x_a" "web" {↵  tags = {↵‖*    k@ = 1‖    last = 1↵}↵}`},
	{name: "elements in both", on: "changes", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵  tags = [↵‖*    "k@",‖]↵}
override.tf: resource "x_a" "web" {↵  tags = [↵‖*    "l@",‖]↵}`},
	{name: "modules with one source", on: "check", memory: parsed, files: `
main.tf: variable "a" {}↵‖*module "m@" {↵  source  = "x/y/z"↵  version = "1.0.0"↵}‖
override.tf: locals { l = "‖+${var.a}b‖" }↵‖*module "m@" { source = local.l }`},
	{name: "equal arguments", on: "fix", memory: parsed, files: `
main.tf override.tf: locals {↵‖*  l@ = 0‖}`},
	{name: "equal overrides", on: "sarif", memory: parsed, least: 4_000, files: web + `
override.tf: *resource "x_a" "web" {↵  size = 2↵}`},
	{name: "comments in a base", on: "comments", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  # comment @‖  size = 1↵}
override.tf: *resource "x_a" "web" {↵  size = "m@"↵}`},
	{name: "lines of a heredoc", on: "changes", memory: parsed, files: web + `
override.tf: resource "x_a" "web" {↵  script = <<-EOT↵‖*    line @‖  EOT↵}`},

	// What the language treats in its own way.
	{name: "lifecycle without effect", on: "fix", memory: parsed, files: web + `
override.tf: *resource "x_a" "web" {↵  lifecycle {↵    enabled = true↵  }↵}`},
	{name: "replace_triggered_by", on: "check", memory: parsed, files: web + `
override.tf: *resource "x_a" "web" {↵  lifecycle {↵    replace_triggered_by = [x_b.c@]↵  }↵}`},
	{name: "provider_meta", on: "check", memory: parsed, files: `
main.tf: terraform {↵  provider_meta "x" { a = 1 }↵}
override.tf: *terraform {↵  provider_meta "x" { a = @ }↵}`},
	{name: "variables", on: "check", memory: parsed, files: `
main.tf: *variable "v@" {↵  type    = string↵  default = 1↵}
override.tf: *variable "v@" { type = number }`},
	{name: "types of one variable", on: "check", memory: parsed, files: `
main.tf: variable "v" { default = 0 }
override.tf: *variable "v" { type = number }↵variable "v" {↵  type    = string↵  default = @↵}`},
	{name: "required providers", on: "list", memory: parsed, files: `
main.tf: terraform {↵  required_providers {↵‖*    p@ = { version = "1" }‖  }↵}
override.tf: terraform {↵  required_providers {↵‖*    p@ = { version = "2" }‖  }↵}`},
	{name: "provisioners", on: "check", memory: parsed, files: web + `
override.tf: resource "x_a" "web" {↵‖*  provisioner "local-exec" { command = "@" }‖}`},
	{name: "aliases", on: "check", memory: parsed, files: `
main.tf: *provider "x" {↵  alias = "a@"↵  r = 1↵}
override.tf: *provider "x" {↵  alias = "a@"↵  r = 2↵}`},
	{name: "default providers", on: "diff", memory: parsed, files: `
main.tf.json: {"provider": {"p": {}‖+,"p@": {"alias": "a"}‖}}
override.tf: *provider "p@" { r = 1 }`},
	{name: "moved and removed blocks", on: "check", memory: parsed, files: small + `
moved.tf: *moved {↵  from = x_a.a@↵  to   = x_a.b@↵}↵removed {↵  from = x_a.c@↵}`},
	{name: "backend and cloud in turns", on: "check", memory: parsed, files: `
main.tf: terraform {↵  backend "a" {}↵}
o@a_override.tf: terraform {↵  cloud {}↵}
o@b_override.tf: terraform {↵  backend "b" {}↵}`},
	{name: "count and for_each in turns", on: "check", memory: parsed, files: `
main.tf: resource "x_a" "web" { count = 1 }
override.tf: *resource "x_a" "web" { for_each = {} }↵resource "x_a" "web" { count = @ }`},
	{name: "checks", on: "check", memory: parsed, files: `
main.tf: *resource "x_a" "web@" {}↵check "c@" {↵  assert {↵    condition = x_a.web@.size > 0↵    error_message = "@ is wrong."↵  }↵}
override.tf: *resource "x_a" "web@" {}`},
	{name: "conditions refused", on: "check", memory: parsed, files: web + `
override.tf: resource "x_a" "web" {↵  lifecycle {↵‖*    precondition {↵      condition = x_b.c.size > @↵      error_message = "@ is wrong."↵    }‖  }↵}`},

	// What silences and forbids overrides, and what sets variables.
	{name: "comments that suppress", on: "list sarif", memory: parsed, files: web + `
override.tf: *# tofumerge:ignore superseded-override because↵resource "x_a" "web" {↵  size = "m@"↵}`},
	{name: "comments that suppress, on one block", on: "check", memory: parsed, files: web + `
override.tf: *# tofumerge:ignore no-effect number @‖resource "x_a" "web" {↵  lifecycle {↵    enabled = true↵  }↵}`},
	{name: "comments that suppress in a file", on: "check", memory: parsed, files: web + `
override.tf: *# tofumerge:ignore-file no-effect number @↵‖resource "x_a" "web" {↵‖*  lifecycle {↵    enabled = true↵  }‖}`},
	{name: "exempt files", on: "check", most: 2_500, files: `
.tofumerge.hcl: deny_overrides = true↵allow_files = [↵‖*  "a@_override.tf",‖]
main.tf override.tf: locals {↵‖*  l@ = 0‖}`},
	{name: "denied addresses", on: "check", most: 2_500, files: `
.tofumerge.hcl: deny = [↵‖*  "local.l@",‖]
main.tf override.tf: locals {↵‖*  l@ = 0‖}`},
	{name: "denied patterns", on: "check", most: 225, files: `
.tofumerge.hcl: deny = [↵‖*  "local.*@",‖]
main.tf override.tf: locals {↵‖*  l@ = 0‖}`},
	{name: "too many patterns", on: "check", most: 2_500, refused: "at most 1000 may", files: small + `
.tofumerge.hcl: deny = [↵‖*  "local.*@",‖]`},
	{name: "large settings", on: "check", memory: outlined, refused: "262144", files: small + `
.tofumerge.hcl: *# comment`},

	// The output of tools.
	{name: "text of a tool", on: "exec", memory: outlined, files: small + `
../output: *main.tf:2: size @`},
	{name: "JSON of a tool", on: "exec", memory: outlined, files: small + `
../output: {"issues":[{}‖+,{"range":{"filename":"main.tf","start":{"line":2,"column":3}}}‖]}`},
	{name: "nested JSON of a tool", on: "exec", memory: outlined, files: small + `
../output: {"a":‖+[‖+]‖}`},
	{name: "open JSON of a tool", on: "exec", memory: outlined, files: small + `
../output: +[`},
	{name: "long string of a tool", on: "exec", memory: outlined, files: small + `
../output: {"a":"‖+abcde\n‖"}`},
	{name: "SARIF of a tool", on: "exec", memory: outlined, files: small + `
../output: {"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"m"}}‖+,{"message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"main.tf"},"region":{"startLine":2}}}]}‖]}]}`},

	// Text that is wrong, or hard to read.
	{name: "duplicate blocks", on: "check", memory: parsed, files: small + `
z.tf: *resource "x_a" "web" {}`},
	{name: "duplicate blocks, the first large", on: "check", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  a@ = 1‖}↵‖*resource "x_a" "web" {}`},
	{name: "duplicate arguments", on: "check", memory: parsed, files: `
main.tf: resource "x_a" "web" {↵‖*  x = 1‖}`},
	{name: "duplicate imports", on: "check", memory: parsed, files: small + `
z.tf: *import {↵  to = x_a.web↵  id = "@"↵}`},
	// The parser makes an error of 370 bytes for every other byte.
	{name: "errors on one line", on: "check", memory: 2 * parsed, files: `
main.tf: locals { x = [‖+$,‖] }`},
	{name: "errors on lines", on: "report", memory: parsed, refused: "can't merge 1 module", files: `
main.tf: *variable "a@" {↵  default = $↵}`},
	{name: "unknown blocks", on: "check", memory: parsed, files: `
main.tf: *resurce@ {}`},
	{name: "template", on: "render", memory: parsed, files: `
main.tf override.tf: resource "x_a" "web" {↵  x = "‖+${a}b‖"↵}`},
	{name: "heredoc of interpolations", on: "check", memory: parsed, files: `
main.tf override.tf: resource "x_a" "web" {↵  x = <<EOT↵‖*line ${var.x}‖EOT↵}`},
	{name: "signs between sequences", on: "render", memory: parsed, files: `
main.tf override.tf: resource "x_a" "web" {↵  x = "‖+a\n$${x}${a.b}%%{y}‖"↵}`},
	{name: "signs between sequences, JSON", on: "check", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"x":"‖+a\n$${x}${a.b}%%{y}‖"}}}}`},
	{name: "deep brackets", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: "main.tf: locals { x = ‖+["},
	{name: "deep interpolations", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: "main.tf: locals { x = ‖+\"${"},
	{name: "deep blocks", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: "main.tf: *a {"},
	{name: "deep heredocs", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: "main.tf: locals {↵x = ‖+<<A↵${↵"},
	{name: "deep directives", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: "main.tf: locals { x = ‖+\"%{if a}"},
	{name: "open heredocs", on: "check", memory: parsed, files: "main.tf: locals {↵x = ‖+<<A↵"},
	{name: "open quotes", on: "check", memory: parsed, files: "main.tf: *locals {↵  x = \"a↵}"},
	{name: "deep JSON", on: "check", memory: outlined, refused: "nest more than 2000 levels", files: `main.tf.json: {"locals":{"x":‖+[`},
	{name: "deep template in JSON", on: "check", memory: outlined, files: `main.tf.json: {"locals":{"x":"‖+${[‖"}}`},
	{name: "JSON array", on: "json", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"x":[0‖+,@‖]}}}}`},
	{name: "JSON arguments", on: "fix", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"k":0‖+,"k@":1‖}}}}`},
	{name: "JSON string", on: "check", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"x":"‖+abc\u00e9\"‖"}}}}`},
	{name: "JSON templates", on: "check", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"x":[0‖+,"${var.x@}"‖]}}}}`},
	{name: "JSON template", on: "render", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"x":"‖+${var.x@}b‖"}}}}`},
	{name: "JSON resources", on: "json", memory: parsed, files: `
main.tf.json: {"resource":{"x_a":{"web":{"x":0}‖+,"n@":{"x":1}‖}}}
override.tf.json: {"resource":{"x_a":{"web":{"x":1}}}}`},
	{name: "JSON blocks", on: "check", memory: parsed, files: `
main.tf.json override.tf.json: {"resource":{"x_a":{"web":{"disk":[{}‖+,{"size":@}‖]}}}}`},
	{name: "duplicate properties", on: "check", memory: parsed, files: `
main.tf.json: {"resource":{"x_a":{"web":{"x":0‖+,"x":1‖}}}}`},
	{name: "duplicate resources in JSON", on: "check", memory: parsed, files: `
main.tf.json: {"resource":{"x_a":{"web":{"k":1‖+,"k@":1‖}‖+,"web":{}‖}}}`},
}
