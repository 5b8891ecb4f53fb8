package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
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
	lspEdits = flag.Int("lsp-edits", 250, "make `N` edits at random and compare the language server with a fresh one")
	lspSeed  = flag.Uint64("lsp-seed", 1, "the `SEED` of these edits")
)

// TestLSPEdits edits modules as people, editors and other programs do, at random. After each
// few edits everything that the server says must be what a fresh one says of the same texts,
// and what check finds in them.
func TestLSPEdits(t *testing.T) {
	perModule := 50
	told := map[string]int{} // answers that are not empty, by method
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
			t.Errorf("there was never anything to compare of %s", method)
		}
	}
}

// A desk is a module that is being edited.
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
	good  map[string]string // texts without errors of syntax, to go back to
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
	d.stock = slices.Concat(inOrder(texts), inOrder(loadtest.NewGenerator(seed+1).Module()))
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

// capabilities are those of one of several kinds of editors.
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

func (d *desk) makeDir() {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) note(format string, args ...any) { d.did = append(d.did, fmt.Sprintf(format, args...)) }

// repair undoes what broke the syntax of files: otherwise there would soon be nothing to say of
// the module.
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

// isBroken reports whether the syntax of a file is wrong.
func isBroken(name, text string) bool {
	if strings.HasSuffix(name, ".json") {
		return !json.Valid([]byte(text))
	}
	_, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
	return diags.HasErrors()
}

// edit does one thing at random.
func (d *desk) edit() {
	if d.r.IntN(4) == 0 {
		d.repair()
	}
	if d.r.IntN(2) == 0 {
		d.repairSettings() // while they make no sense, there is nothing else to say
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

// pick is one of the names, or "".
func pick[V any](r *rand.Rand, from map[string]V) string {
	names := slices.Sorted(maps.Keys(from))
	if len(names) == 0 {
		return ""
	}
	return names[r.IntN(len(names))]
}

// place is a place between two characters.
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

// paste inserts lines of another file, or takes some out.
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

// undo goes back to an earlier text, or to that on the disk.
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

// editOddly sends several edits at once, at places that the document may not have.
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

func (d *desk) closeOne() {
	name := pick(d.r, d.open)
	d.note("close %s", name)
	d.c.Close(d.open[name])
	delete(d.open, name)
}

func (d *desk) save() {
	name := pick(d.r, d.open)
	d.note("save %s", name)
	d.makeDir()
	d.write(name, d.open[name].Text, lsptest.Changed)
	d.c.Save(d.open[name])
}

// write writes a file, and tells the server of it where a kind of change is given.
func (d *desk) write(name, text string, kind int) {
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if _, isThere := d.disk[name]; !isThere && kind != 0 {
		kind = lsptest.Created
	}
	d.disk[name] = text
	if kind != 0 {
		d.c.Watched(filepath.Join(d.dir, name), kind)
	}
}

func (d *desk) remove(name string) {
	if err := os.Remove(filepath.Join(d.dir, name)); err != nil {
		d.t.Fatal(err)
	}
	delete(d.disk, name)
	d.c.Watched(filepath.Join(d.dir, name), lsptest.Deleted)
}

// changeDisk does what another program may do to the files.
func (d *desk) changeDisk() {
	name := pick(d.r, d.disk)
	if name == "" {
		return
	}
	d.makeDir()
	switch n := d.r.IntN(4); {
	case n == 0:
		d.note("remove %s", name)
		d.remove(name)
	case n == 1 && !isSettings(name):
		to := strings.TrimSuffix(name, "_override.tf") + []string{"_override.tf", ".tf"}[d.r.IntN(2)]
		d.note("rename %s to %s", name, to)
		text := d.disk[name]
		d.remove(name)
		d.write(to, text, lsptest.Changed)
	case n == 2:
		text := d.disk[name]
		at := d.place(text)
		d.note("on disk: insert into %s at %d", name, at)
		d.write(name, text[:at]+"# x\n"+text[at:], lsptest.Changed)
	case n == 3:
		version := []string{"1.8.0", "1.10.3", "none"}[d.r.IntN(3)]
		d.note("on disk: .opentofu-version %s", version)
		d.write(".opentofu-version", version+"\n", lsptest.Changed)
		delete(d.disk, ".opentofu-version") // what is open of it does not count, so nobody opens it
	}
}

// removeAll removes the directory of the module.
func (d *desk) removeAll() {
	if d.r.IntN(2) == 0 {
		return
	}
	d.note("remove the directory")
	names := slices.Sorted(maps.Keys(d.disk))
	if err := errors.Join(os.RemoveAll(d.dir), os.RemoveAll(filepath.Join(d.dir, settingsAbove))); err != nil {
		d.t.Fatal(err)
	}
	clear(d.disk)
	for _, name := range append(names, ".opentofu-version") {
		d.c.Watched(filepath.Join(d.dir, name), lsptest.Deleted)
	}
	d.c.Watched(d.dir, lsptest.Deleted)
}
