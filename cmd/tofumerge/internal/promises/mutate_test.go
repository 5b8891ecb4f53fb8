package promises_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"golang.org/x/tools/txtar"
)

// How mutants are made.

// A mutant is a module, and the engine that is to read it.
type mutant struct {
	files  map[string]string
	engine string
}

func (m mutant) names() []string { return slices.Sorted(maps.Keys(m.files)) }

func (m mutant) size() int {
	size := 0
	for _, text := range m.files {
		size += len(text)
	}
	return size
}

// archive shows the module.
func (m mutant) archive() string {
	a := &txtar.Archive{}
	for _, name := range m.names() {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(m.files[name])})
	}
	text := string(txtar.Format(a))
	if len(text) > 8000 {
		text = text[:8000] + "…"
	}
	return text
}

// A mutator makes mutants of modules.
type mutator struct {
	*rand.Rand
	seeds []mutant
	m     mutant
}

func newMutator(rng *rand.Rand, seeds []mutant) *mutator { return &mutator{Rand: rng, seeds: seeds} }

// traps are pieces of text at which a reader, a merger or a printer may stumble.
var traps = []string{
	`"`, `""`, `\"`, `\`, `\u0000`, `\u001b`, `\ud800`, "${", "%{", "$${", "%%{", "}", "{", "[", "]", "(", ")", "~}", "${~", "=", ":", ",", ".", "...", "?", "!", "-", "=>", "::", "[*]", ".*", "[0]",
	"<<EOT\n", "<<-EOT\n", "EOT\n", "<<EOT", "\nEOT", "#", "//", "/*", "*/", "# tofumerge:ignore no-effect\n", "# overridden: override.tf (a)\n",
	"\x00", "\ufeff", "\r", "\r\n", "\n", "\n\n", "\t", " ", "\xff", "\xc3", "\xed\xa0\x80", "\x1b[31m", "\u2028", "\u00a0", "é", "🚀", "\u202e",
	"_ {\n}\n", "_ = 1\n", "dynamic \"a\" {\n  for_each = []\n  content {}\n}\n", "dynamic = 1\n", "content {}\n", "for_each = {}\n", "for_each = null\n", "count = 1\n", "count = \"\"\n", "count = null\n", "enabled = false\n",
	"lifecycle {}\n", "lifecycle {\n  ignore_changes = all\n}\n", "lifecycle = 1\n", "provisioner \"local-exec\" {}\n", "connection {}\n", "provider = aws.b\n", "providers = {}\n", "depends_on = []\n", "alias = \"x\"\n", "alias = each.key\n",
	"sensitive = true\n", "sensitive = \"true\"\n", "ephemeral = true\n", "type = any\n", "type = object({ a = optional(string, \"b\") })\n", "type = \"string\"\n", "default = null\n", "default = 1e400\n", "nullable = false\n", "validation {\n}\n", "source = \"./x\"\n", "version = \"~> 1\"\n",
	"terraform {\n}\n", "terraform {\n  backend \"local\" {}\n}\n", "terraform {\n  cloud {}\n}\n", "terraform {\n  required_providers {\n    aws = \"1\"\n  }\n}\n", "terraform {\n  required_version = \"> 0\"\n}\n", "locals {\n  a = 1\n}\n", "moved {\n  from = a.b\n  to = a.c\n}\n", "import {\n  to = a.b\n  id = \"1\"\n}\n", "removed {\n  from = a.b\n}\n", "check \"a\" {\n}\n", "unknown \"x\" {\n}\n", "variable \"v\" {}\n", "output \"v\" {\n  value = 1\n}\n", "provider \"aws\" {}\n",
	"1e999999", "1e-400", "0x10", "01", "-0", "0.1e+7", "123456789012345678901234567890123456789012345678901234567890", "9223372036854775808", "null", "true", "false", "\"true\"", "var.a", "each.key", "self", "a.b[*].c", "provider::a::b()", "templatefile(\"a\", {})", "{ for k, v in a : k => v... }", "[for v in a : v]",
	`"//": 1,`, `"//": {"tofumerge": {}},`, `"dynamic": {"a": {"for_each": [], "content": {}}},`, `"a": [{}],`, `"a": {},`, `"a": [],`, `"a": null,`, `{}`, `[{}]`, `[[{}]]`, `{"": 1}`, `"lifecycle": {"ignore_changes": "all"},`, `"${a}"`, `"%{ if true }x%{ endif }"`, `"_": {},`,
}

// mutant makes a mutant of one of the modules.
func (g *mutator) mutant() mutant {
	g.m = mutant{files: maps.Clone(g.seeds[g.IntN(len(g.seeds))].files), engine: engine.Default().String()}
	if g.IntN(40) > 0 {
		g.cut()
	}
	if observed := engine.Observed(); g.IntN(3) == 0 {
		g.m.engine = observed[g.IntN(len(observed))].String()
	}
	for range 1 + g.IntN(2)*g.IntN(4) {
		g.mutate()
	}
	return g.m
}

// mutate changes the module in one way.
func (g *mutator) mutate() {
	ways := []struct {
		weight int
		change func()
	}{
		{2, g.flip}, {4, g.insert}, {5, g.insertLine}, {3, g.replaceToken}, {3, g.doubleLine}, {3, g.dropLine}, {2, g.swapLines}, {4, g.moveLines},
		{4, g.spliceLines}, {9, g.overrideBlock}, {3, g.spliceFile}, {3, g.rename}, {1, g.relay}, {2, g.swapTokens},
	}
	total := 0
	for _, w := range ways {
		total += w.weight
	}
	at := g.IntN(total)
	for _, w := range ways {
		if at -= w.weight; at < 0 {
			w.change()
			return
		}
	}
}

func (g *mutator) trap() string { return traps[g.IntN(len(traps))] }

func (g *mutator) name() string {
	names := g.m.names()
	return names[g.IntN(len(names))]
}

// edit changes the text of one of the files.
func (g *mutator) edit(change func(text string) string) {
	name := g.name()
	g.m.files[name] = change(g.m.files[name])
}

// editLines changes the lines of one of the files, unless there are none.
func (g *mutator) editLines(change func(lines []string) []string) {
	g.edit(func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		if text == "" {
			return text
		}
		return strings.Join(change(lines), "")
	})
}

func (g *mutator) flip() {
	g.edit(func(text string) string {
		if text == "" {
			return text
		}
		b := []byte(text)
		at := g.IntN(len(b))
		switch g.IntN(3) {
		case 0:
			b[at] ^= 1 << g.IntN(8)
		case 1:
			b[at] = byte(g.IntN(256))
		default:
			b = slices.Delete(b, at, min(len(b), at+1+g.IntN(4)))
		}
		return string(b)
	})
}

func (g *mutator) insert() {
	g.edit(func(text string) string {
		at := g.IntN(len(text) + 1)
		return text[:at] + g.trap() + text[at:]
	})
}

func (g *mutator) insertLine() {
	g.editLines(func(lines []string) []string {
		return slices.Insert(lines, g.IntN(len(lines)), strings.TrimSuffix(g.trap(), "\n")+"\n")
	})
}

// tokens are where words, numbers, quotes and brackets begin and end.
func tokens(text string) []int {
	isWord := func(b byte) bool {
		return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
	}
	var ends []int
	for i := range len(text) {
		if i > 0 && (!isWord(text[i-1]) || !isWord(text[i])) {
			ends = append(ends, i)
		}
	}
	return ends
}

func (g *mutator) replaceToken() {
	g.edit(func(text string) string {
		ends := tokens(text)
		if len(ends) < 2 {
			return text
		}
		i := g.IntN(len(ends) - 1)
		with := g.trap()
		if g.IntN(3) == 0 {
			j := g.IntN(len(ends) - 1)
			with = text[ends[j]:ends[j+1]]
		}
		return text[:ends[i]] + with + text[ends[i+1]:]
	})
}

func (g *mutator) swapTokens() {
	g.edit(func(text string) string {
		ends := tokens(text)
		if len(ends) < 4 {
			return text
		}
		i, j := g.IntN(len(ends)-1), g.IntN(len(ends)-1)
		if i > j {
			i, j = j, i
		}
		if i == j {
			return text
		}
		return text[:ends[i]] + text[ends[j]:ends[j+1]] + text[ends[i+1]:ends[j]] + text[ends[i]:ends[i+1]] + text[ends[j+1]:]
	})
}

// stretch is a stretch of lines, seldom a long one.
func (g *mutator) stretch(lines []string) (from, to int) {
	from = g.IntN(len(lines))
	return from, min(len(lines), from+1+g.IntN(2)*g.IntN(6))
}

func (g *mutator) doubleLine() {
	g.editLines(func(lines []string) []string {
		from, to := g.stretch(lines)
		return slices.Insert(lines, g.IntN(len(lines)), slices.Clone(lines[from:to])...)
	})
}

func (g *mutator) dropLine() {
	g.editLines(func(lines []string) []string {
		from, to := g.stretch(lines)
		return slices.Delete(lines, from, to)
	})
}

func (g *mutator) swapLines() {
	g.editLines(func(lines []string) []string {
		i, j := g.IntN(len(lines)), g.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return lines
	})
}

// moveLines puts lines of one file of the module into another.
func (g *mutator) moveLines() {
	lines := strings.SplitAfter(g.m.files[g.name()], "\n")
	from, to := g.stretch(lines)
	g.editLines(func(others []string) []string {
		return slices.Insert(others, g.IntN(len(others)), lines[from:to]...)
	})
}
