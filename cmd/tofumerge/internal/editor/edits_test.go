package editor_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

var (
	lspEdits = flag.Int("lsp-edits", 250, "make `N` random edits and compare the language server with a fresh one")
	lspSeed  = flag.Uint64("lsp-seed", 1, "the `SEED` of these edits")
)

// TestLSPEdits edits modules at random, as people, editors and other programs do. After every
// few edits, all answers of the server must be the same as those of a fresh server with the
// same texts, and its diagnostics the same as the findings of check.
func TestLSPEdits(t *testing.T) {
	perModule := 50
	told := map[string]int{} // answers that aren't empty, by method
	for n := 0; n < *lspEdits; n += perModule {
		seed := *lspSeed + uint64(n/perModule)
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { editAtRandom(t, seed, perModule, told) }) {
			t.Logf("again with -run TestLSPEdits -lsp-seed %d -lsp-edits 1", seed)
			return
		}
	}
	t.Log(told)
	for _, method := range []string{"hover", "definition", "references", "inlayHint", "codeLens", "codeAction", "completion", "action applied", "settings edited"} {
		if told[method] == 0 && *lspEdits >= 200 {
			t.Errorf("all answers about %s were empty", method)
		}
	}
}

// A desk is a module that someone edits.
type desk struct {
	t     *testing.T
	r     *rand.Rand
	c     *lsptest.Client
	root  string // the folder of the editor
	dir   string // the module, in it
	disk  map[string]string
	open  map[string]*lsptest.Document
	past  map[string][]string // earlier texts, to undo
	stock []string            // texts to paste from
	did   []string
	kind  uint64            // of the editor
	good  map[string]string // texts without syntax errors, for repair
	told  map[string]int
}

func editAtRandom(t *testing.T, seed uint64, edits int, told map[string]int) {
	g := loadtest.NewGenerator(seed)
	texts := g.Module()
	if seed%3 != 0 {
		texts = loadtest.Mixed(t, g, texts)
	}
	d := &desk{t: t, r: g.Rand, root: t.TempDir(), disk: map[string]string{}, open: map[string]*lsptest.Document{}, past: map[string][]string{}, good: map[string]string{}, told: told}
	d.dir = filepath.Join(d.root, "a module é")
	d.stock = slices.Concat(loadtest.InOrder(texts), loadtest.InOrder(loadtest.NewGenerator(seed+1).Module()))
	d.makeDir()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		d.good[name] = strings.Replace(texts[name], `"v`, `"😀v`, 1)
		d.write(name, d.good[name], 0)
	}
	d.c, _ = connect(t, "--chdir", d.root)
	d.kind = seed
	d.start(d.c, d.root)
	d.openOne()
	for done := 0; done < edits; {
		for range 1 + d.r.IntN(4) {
			d.edit()
			done++
		}
		d.compare()
		if t.Failed() {
			t.Fatalf("after\n%s", strings.Join(d.did, "\n"))
		}
	}
	d.c.Shutdown()
}

// capabilities are the capabilities of the kind of editor.
func (d *desk) capabilities() map[string]any {
	all := lsptest.Capabilities([][]string{{"utf-16"}, {"utf-8", "utf-16"}, {"utf-32"}}[d.kind%3]...)
	document := all["textDocument"].(map[string]any)
	switch d.kind / 3 % 3 {
	case 0:
		delete(document, "diagnostic")
	case 1:
		document["diagnostic"] = map[string]any{"relatedDocumentSupport": false}
	}
	return all
}

func (d *desk) note(format string, args ...any) { d.did = append(d.did, fmt.Sprintf(format, args...)) }

// repair restores files that can't be parsed: otherwise, nothing would soon be known about the
// module.
func (d *desk) repair() {
	for _, name := range slices.Sorted(maps.Keys(d.good)) {
		switch doc, good := d.open[name], d.good[name]; {
		case doc != nil && isBroken(name, doc.Text):
			d.note("repair %s", name)
			d.c.Change(doc, lsptest.Edit{Text: good})
		case doc != nil:
		case isBroken(name, d.disk[name]):
			d.note("repair %s on disk", name)
			d.makeDir()
			d.write(name, good, lsptest.Changed)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.open)) {
		if doc := d.open[name]; d.good[name] == "" && !isSettings(name) && isBroken(name, doc.Text) {
			d.note("clear %s", name)
			d.c.Change(doc, lsptest.Edit{Text: ""})
		}
	}
}

// isBroken reports whether a file has a syntax error.
func isBroken(name, text string) bool {
	if strings.HasSuffix(name, ".json") {
		return !json.Valid([]byte(text))
	}
	_, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
	return diags.HasErrors()
}

// edit does something at random.
func (d *desk) edit() {
	if d.r.IntN(4) == 0 {
		d.repair()
	}
	if d.r.IntN(2) == 0 {
		d.repairSettings() // as long as they are invalid, nothing else is reported
	}
	switch n := d.r.IntN(49); {
	case len(d.open) == 0 || n == 0:
		d.openOne()
	case n < 22:
		d.typeOrDelete()
	case n < 26:
		d.paste()
	case n < 29:
		d.undo()
	case n < 31:
		d.editOddly()
	case n < 33:
		d.openOne()
	case n < 34:
		d.closeOne()
	case n < 36:
		d.save()
	case n < 39:
		d.changeDisk()
	case n < 46:
		d.act()
	case n < 48:
		d.editSettings()
	default:
		d.removeAll()
	}
}

// pick returns one of the names, "" if there are none.
func pick[V any](r *rand.Rand, from map[string]V) string {
	names := slices.Sorted(maps.Keys(from))
	if len(names) == 0 {
		return ""
	}
	return names[r.IntN(len(names))]
}

// place returns an offset between two characters.
func (d *desk) place(text string) int {
	at := d.r.IntN(len(text) + 1)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	if at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n' {
		at++
	}
	return at
}

func (d *desk) replace(name string, from, to int, text string) {
	doc := d.open[name]
	d.past[name] = append(d.past[name], doc.Text)
	d.note("replace %d-%d of %s by %q", from, to, name, text)
	d.c.Replace(doc, from, to, text)
}

func (d *desk) typeOrDelete() {
	name := pick(d.r, d.open)
	text := d.open[name].Text
	at := d.place(text)
	if d.r.IntN(3) == 0 {
		end := min(len(text), at+d.r.IntN(12))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if end > at && text[end-1] == '\r' && end < len(text) {
			end++
		}
		d.replace(name, at, end, "")
		return
	}
	typed := []string{"a", "\"", "{", "}", "=", "#", "é", "😀", "\n", "1", ".", "/*", "${", "<<E\n", ",", "[", ":", "\r\n", "\"\"", "\\"}
	d.replace(name, at, at, typed[d.r.IntN(len(typed))])
}

// paste inserts lines of another file, or removes a line.
func (d *desk) paste() {
	name := pick(d.r, d.open)
	text := d.open[name].Text
	lines := strings.SplitAfter(text, "\n")
	i := d.r.IntN(len(lines))
	at := len(strings.Join(lines[:i], ""))
	if d.r.IntN(3) == 0 {
		d.replace(name, at, at+len(lines[i]), "")
		return
	}
	theirs := strings.SplitAfter(d.stock[d.r.IntN(len(d.stock))], "\n")
	from := d.r.IntN(len(theirs))
	d.replace(name, at, at, strings.Join(theirs[from:min(len(theirs), from+1+d.r.IntN(8))], ""))
}

// undo restores an earlier text, or the one on disk.
func (d *desk) undo() {
	name := pick(d.r, d.open)
	earlier, ok := d.disk[name]
	if past := d.past[name]; len(past) > 0 && (!ok || d.r.IntN(2) == 0) {
		i := d.r.IntN(len(past))
		earlier, d.past[name] = past[i], past[:i]
	} else if !ok {
		return
	}
	d.note("undo in %s", name)
	d.c.Change(d.open[name], lsptest.Edit{Text: earlier})
}

// editOddly sends several edits at once, at positions that the document may not have.
func (d *desk) editOddly() {
	name := pick(d.r, d.open)
	var edits []lsptest.Edit
	for range 1 + d.r.IntN(3) {
		start := lsptest.Position{Line: d.r.IntN(30), Character: d.r.IntN(40)}
		end := lsptest.Position{Line: start.Line + d.r.IntN(2), Character: start.Character + d.r.IntN(4)}
		switch d.r.IntN(10) {
		case 0:
			end = lsptest.Position{Line: 1<<31 - 1, Character: 1<<31 - 1}
		case 1:
			start.Character, end.Character = 1<<31-1, 1<<31-1
		}
		edits = append(edits, lsptest.Edit{Range: &lsptest.Range{Start: start, End: end}, Text: []string{"", "😀", "x\n"}[d.r.IntN(3)]})
	}
	d.note("edits of %s: %+v", name, edits)
	d.past[name] = append(d.past[name], d.open[name].Text)
	d.c.Change(d.open[name], edits...)
}

// act applies one of the actions that the server offers for a document.
func (d *desk) act() {
	type action struct {
		Title    string
		Edit     *lsptest.WorkspaceEdit
		Data     json.RawMessage `json:"data,omitempty"`
		Kind     string          `json:"kind,omitempty"`
		Disabled json.RawMessage `json:"disabled,omitempty"`
	}
	name := pick(d.r, d.open)
	doc := d.open[name]
	params := lsptest.In(doc.URI, lsptest.Range{End: lsptest.PositionOf(doc.Text, len(doc.Text), d.c.Encoding)})
	params["context"] = map[string]any{"diagnostics": []any{}}
	var actions []json.RawMessage
	d.c.Call("textDocument/codeAction", params, &actions)
	if len(actions) == 0 {
		return
	}
	chosen := actions[d.r.IntN(len(actions))]
	var a action
	if err := json.Unmarshal(chosen, &a); err != nil {
		d.t.Error(err)
	}
	if a.Edit == nil && a.Data != nil {
		d.c.Call("codeAction/resolve", chosen, &a)
	}
	d.note("in %s: %s", name, a.Title)
	if a.Edit != nil {
		d.told["action applied"]++
		d.c.Apply(*a.Edit)
	}
}

func (d *desk) openOne() {
	name := pick(d.r, d.disk)
	if d.r.IntN(8) == 0 || name == "" {
		name = []string{"new.tf", "new_override.tf", "new.tf.json", "x.tofu", "override.tf", "zz_override.tofu.json"}[d.r.IntN(6)]
	}
	if d.open[name] != nil {
		return
	}
	d.note("open %s", name)
	d.open[name] = d.c.Open(filepath.Join(d.dir, name), d.disk[name])
	d.past[name] = nil
}

func (d *desk) closeOne() { d.close(pick(d.r, d.open)) }

func (d *desk) close(name string) {
	d.note("close %s", name)
	d.c.Close(d.open[name])
	delete(d.open, name)
}
