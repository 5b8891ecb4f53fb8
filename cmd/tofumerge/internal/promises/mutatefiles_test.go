package promises_test

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Mutations that know of files and blocks.

// chunks are the top-level blocks of a native text, roughly: stretches that end with
// a brace at the beginning of a line.
func chunks(text string) []string {
	var parts []string
	for text != "" {
		at := strings.Index(text, "\n}")
		if at < 0 {
			return append(parts, text)
		}
		end := at + 2
		if next := strings.IndexByte(text[end:], '\n'); next >= 0 {
			end += next + 1
		} else {
			end = len(text)
		}
		parts, text = append(parts, text[:end]), text[end:]
	}
	return parts
}

// header is the first line of a chunk that opens a block.
func header(chunk string) string {
	for line := range strings.Lines(chunk) {
		if strings.HasSuffix(strings.TrimSpace(line), "{") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// overrides reports whether a name is an override file's.
func overrides(name string) bool {
	entries := load.Classify([]string{name}, engine.Default())
	return len(entries) == 1 && entries[0].Role == source.Override
}

// cut leaves out blocks of large modules: first those that no override file names.
func (g *mutator) cut() {
	if g.m.size() <= maxMutant {
		return
	}
	named := map[string]bool{}
	for _, name := range g.m.names() {
		if overrides(name) {
			for _, chunk := range chunks(g.m.files[name]) {
				named[header(chunk)] = true
			}
		}
	}
	for _, wantsNamed := range []bool{false, true} {
		for _, name := range g.m.names() {
			g.cutFile(name, func(chunk string) bool { return wantsNamed || !named[header(chunk)] })
		}
	}
}

func (g *mutator) cutFile(name string, mayGo func(chunk string) bool) {
	parts := chunks(g.m.files[name])
	excess := g.m.size() - maxMutant
	for excess > 0 && slices.ContainsFunc(parts, mayGo) {
		i := g.IntN(len(parts))
		if mayGo(parts[i]) {
			excess -= len(parts[i])
			parts = slices.Delete(parts, i, i+1)
		}
	}
	g.m.files[name] = strings.Join(parts, "")
	if g.m.files[name] == "" && len(g.m.files) > 1 {
		delete(g.m.files, name)
	}
}

// other is one of the modules.
func (g *mutator) other() mutant { return g.seeds[g.IntN(len(g.seeds))] }

// spliceLines puts lines of another module in.
func (g *mutator) spliceLines() {
	o := g.other()
	names := o.names()
	lines := strings.SplitAfter(o.files[names[g.IntN(len(names))]], "\n")
	from, to := g.stretch(lines)
	g.editLines(func(own []string) []string {
		return slices.Insert(own, g.IntN(len(own)), lines[from:to]...)
	})
}

// spliceFile adds a file of another module, perhaps in another role.
func (g *mutator) spliceFile() {
	o := g.other()
	names := o.names()
	name := names[g.IntN(len(names))]
	text := o.files[name]
	if len(text) > maxMutant {
		return
	}
	if g.IntN(2) == 0 {
		name = g.otherName(name)
	}
	g.m.files[name] = text
}

// otherName is another name for a file of the same syntax.
func (g *mutator) otherName(name string) string {
	stems := []string{"main", "a", "z", "override", "a_override", "z_override", "b-override", ".x", "é_override", "a b_override"}
	ext := ".tf"
	if g.IntN(4) == 0 {
		ext = ".tofu"
	}
	if strings.HasSuffix(name, ".json") {
		ext += ".json"
	}
	return stems[g.IntN(len(stems))] + ext
}

// rename gives a file another name, and so perhaps another role or, seldom, another
// syntax, or puts a copy beside it.
func (g *mutator) rename() {
	name := g.name()
	text := g.m.files[name]
	to := g.otherName(name)
	if g.IntN(10) == 0 {
		to = g.otherName("")
	}
	if g.IntN(2) == 0 {
		delete(g.m.files, name)
	}
	g.m.files[to] = text
}

// overrideBlock puts a block into an override file, mostly with something changed.
func (g *mutator) overrideBlock() {
	parts := chunks(g.m.files[g.name()])
	if len(parts) == 0 {
		return
	}
	chunk := parts[g.IntN(len(parts))]
	name := []string{"override.tf", "a_override.tf", "z_override.tf"}[g.IntN(3)]
	if strings.HasPrefix(strings.TrimSpace(chunk), "{") {
		name += ".json"
	}
	if at := strings.Index(chunk, "{\n"); at >= 0 && g.IntN(3) > 0 {
		chunk = chunk[:at+2] + g.trap() + "\n" + chunk[at+2:]
	}
	if old := g.m.files[name]; old != "" && !strings.HasSuffix(name, ".json") {
		chunk = old + "\n" + chunk
	}
	g.m.files[name] = chunk
}

// relay changes line ends, the mark at the beginning, or the end of a file.
func (g *mutator) relay() {
	g.edit(func(text string) string {
		switch g.IntN(4) {
		case 0:
			return strings.ReplaceAll(text, "\n", "\r\n")
		case 1:
			return "\ufeff" + text
		case 2:
			return strings.ReplaceAll(text, "  ", "\t")
		}
		return strings.TrimRight(text, "\r\n")
	})
}
