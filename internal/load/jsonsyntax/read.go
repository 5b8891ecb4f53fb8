package jsonsyntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// IsWellFormed reports whether Read found a file to be JSON.
func IsWellFormed(f *source.File) bool {
	jf := Of(f)
	return jf != nil && jf.isParsed
}

// Read parses a JSON file and finds its blocks, adds to seen how it uses names, and to
// ambiguous the names that need evidence from other files. The bodies are translated
// once all other files have been read.
func Read(file *source.File, seen Evidence, ambiguous Ambiguous) hcl.Diagnostics {
	f := &jsonFile{File: file}
	file.Translator = f
	root, diags := jsontree.Parse(file)
	if diags.HasErrors() {
		return diags
	}
	if k := root.Kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{diag.New(f.RawRange(root.Span()), "Incorrect JSON value type",
			"A configuration file must be an object whose properties are block types, or an array of such objects.")}
	}
	f.root, f.isParsed = root, true
	newWriter().open(f).tops(f.root, func(h header, body jsontree.Value) {
		b := &source.Block{File: file, Type: h.typ, Labels: h.labels}
		if f.Role == source.Override {
			f.heads = append(f.heads, b)
		}
		if shape := language.Of(f.Engine).Top(h.typ).Body; shape.IsOpen() {
			seen.noteJSON(body, providerschema.TopPath(b), ambiguous)
		} else {
			seen.noteNested(body, shape, providerschema.TopPath(b), ambiguous)
		}
	})
	if f.Role == source.Primary {
		f.root = jsontree.Value{} // read again in its turn: until then it would only take memory
	}
	return nil
}

// Translate turns a file that was read into native text and items. It calls take with
// each top-level block and its builder, which keeps the tree if keeps reports true of
// the block. With quote no heredoc is written.
func (f *jsonFile) Translate(k *Classifier, quote bool, keeps func(*source.Block) bool,
	take func(b *source.Block, isKept bool, build *source.Builder)) hcl.Diagnostics {
	if f.Role == source.Primary {
		f.root = jsontree.NewReader(f.Raw).Root()
	}
	f.classifier, f.quote = k, quote
	jb := newWriter().open(f)
	jb.out = make([]byte, 0, len(f.Raw))
	jb.tops(f.root, func(h header, body jsontree.Value) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		jb.top(h, body)
		jb.emit(f.LineEnd)
		f.Native = jb.out
		b, isKept := jb.build.Block(&jb.list, keeps)
		take(b, isKept, &jb.build)
		clear(f.recent)
	})
	f.Native = jb.out
	f.root, f.heads, f.Broken = jsontree.Value{}, nil, jb.missing
	return jb.diags
}

// tops calls visit for each top-level block of a file.
func (jb *writer) tops(root jsontree.Value, visit func(header, jsontree.Value)) {
	for p := range jb.properties(root, "declare blocks") {
		name := p.Name()
		if name == commentKey {
			f, at := jb.file, p.Span()
			if n := len(f.Remarks); n == 0 || f.Remarks[n-1][0] < at[0] { // else the first reading found it
				f.Remarks = append(f.Remarks, at)
			}
			continue
		}
		shape, known := language.Of(jb.file.Engine).Block(name)
		h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span()}}
		if !known && (!spelling.IsNativeName(name) || !mayBeBlocks(p) || p.IsVoid()) {
			jb.report(p.Key(), "Extraneous JSON object property",
				"%s has no top-level blocks of type \"%s\", and this value can't be a block.%s",
				jb.file.Engine.Product.Title(), diag.Escape(name), diag.DidYouMean(name, language.Of(jb.file.Engine).Types()))
			continue
		}
		jb.unknownVoid(p, shape)
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// Heads returns blocks with the types and labels of the blocks of a JSON override file, until the
// file is translated.
func Heads(f *source.File) []*source.Block {
	if jf := Of(f); jf != nil {
		return jf.heads
	}
	return nil
}

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
