package jsonsyntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A blockGuesses is the guesses in one block, and how many other blocks have the same.
type blockGuesses struct {
	file *jsonFile
	list []guess
	more int
}

// Guesses warns of guesses in files, once for each block, and once for blocks with the same ones.
// Guesses about items for which matters reports false are left out, and so are null and [] if no
// file has blocks of that name.
func Guesses(files []*source.File, matters func(source.Item) bool) hcl.Diagnostics {
	mayBeBlocks := map[[2]string]bool{}
	eachGuess(files, func(_ *jsonFile, g guess) {
		if !g.void {
			mayBeBlocks[[2]string{g.path, g.name}] = true
		}
	})
	var order []*blockGuesses
	byBlock := map[string]*blockGuesses{}
	eachGuess(files, func(f *jsonFile, g guess) {
		if g.void && !mayBeBlocks[[2]string{g.path, g.name}] {
			return
		}
		it := f.HolderOf(g.at[0])
		if !matters(it) {
			return
		}
		b := source.Top(it)
		own := fmt.Sprintf("%s\x00%d\x00%s", b.File.Name, b.Header().Start.Byte, g.path)
		if byBlock[own] == nil {
			byBlock[own] = &blockGuesses{file: f}
			order = append(order, byBlock[own])
		}
		byBlock[own].list = append(byBlock[own].list, g)
	})
	return warnings(order)
}

// eachGuess visits the guesses of files.
func eachGuess(files []*source.File, visit func(*jsonFile, guess)) {
	for _, file := range files {
		if f := Of(file); f != nil {
			for _, g := range f.guesses {
				visit(f, g)
			}
		}
	}
}

// warnings returns the warnings of all blocks; of blocks with identical ones, the first block's.
func warnings(blocks []*blockGuesses) (diags hcl.Diagnostics) {
	known := map[string]*blockGuesses{}
	var order []*blockGuesses
	for _, b := range blocks {
		var names []string
		for _, g := range b.list {
			names = append(names, fmt.Sprintf("%q %q %v", g.path, g.name, g.block))
		}
		slices.Sort(names)
		same := strings.Join(names, "\n")
		if first := known[same]; first != nil {
			first.more++
			continue
		}
		known[same] = b
		order = append(order, b)
	}
	for _, b := range order {
		diags = append(diags, guessed(b))
	}
	return diags
}

func guessed(b *blockGuesses) *hcl.Diagnostic {
	g, f := b.list[0], b.file
	others := ""
	if b.more > 0 {
		others = fmt.Sprintf(" (%d more like it)", b.more)
	}
	remedy := "To decide it, use --provider-schema FILE, made with: tofu providers schema -json > FILE. Or print " +
		"with --format json."
	switch {
	case g.disputed:
		remedy = "The schemas of several providers contradict each other here. Make the schema from the providers " +
			"of this module only, or print with --format json."
	case f.classifier.Schema != nil:
		remedy = "The file of --provider-schema doesn't contain the name. Generate it again from all providers of the module, " +
			"or print with --format json."
		if strings.HasPrefix(g.path, "provider/") {
			remedy += " A provider configuration is found by the provider's type, not by a local name that differs " +
				"from it."
		}
	}
	what := fmt.Sprintf("In JSON, %s of %s could be %s", namesOf(b.list), pathWords(g.path), b.taken())
	d := diag.New(f.RawRange(g.at), "Argument or nested block", "%s%s. %s", what, others, remedy)
	d.Severity = hcl.DiagWarning
	return d
}

// taken words the possible roles of names, and the assumed ones.
func (b *blockGuesses) taken() string {
	var arguments, blocks []guess
	for _, g := range b.list {
		if g.block {
			blocks = append(blocks, g)
		} else {
			arguments = append(arguments, g)
		}
	}
	could, them := "arguments or nested blocks", "them"
	asArguments, asBlocks := "arguments", "nested blocks"
	if len(b.list) == 1 {
		could, them = "an argument or a nested block", "it"
	}
	if len(arguments) == 1 {
		asArguments = "an argument"
	}
	if len(blocks) == 1 {
		asBlocks = "a nested block"
	}
	switch {
	case len(blocks) == 0:
		return fmt.Sprintf("%s; tofumerge takes %s for %s", could, them, asArguments)
	case len(arguments) == 0:
		return fmt.Sprintf("%s; tofumerge takes %s for %s", could, them, asBlocks)
	}
	return fmt.Sprintf("%s; tofumerge takes %s for %s, %s for %s", could, namesOf(arguments), asArguments, namesOf(blocks), asBlocks)
}
