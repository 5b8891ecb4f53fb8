package editor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// patience is how long a test waits. Only a failing test takes so long.
const patience = 2 * time.Minute

// compare compares the server with a fresh one that has the same texts, and with check.
func (d *desk) compare() {
	// These requests come immediately, while the server still works on the edits.
	questions := d.questions()
	answers := d.ask(d.c, d.root, questions)

	root := d.t.TempDir()
	dir := filepath.Join(root, filepath.Base(d.dir))
	if _, err := os.Stat(d.dir); err == nil {
		if err := os.CopyFS(dir, os.DirFS(d.dir)); err != nil {
			d.t.Fatal(err)
		}
	}
	d.copySettings(d.root, root)
	other, _ := connect(d.t, "--chdir", root)
	d.start(other, root)
	for _, name := range slices.Sorted(maps.Keys(d.open)) {
		other.OpenAs(filepath.Join(dir, name), d.open[name].Text, d.open[name].Version)
	}
	if diff := cmp.Diff(d.ask(other, root, questions), answers); diff != "" {
		d.t.Errorf("answers (-fresh +after edits):\n%s", diff)
	}
	if want, ok := d.checked(dir); ok && d.isAnalysed() {
		d.settle("the fresh server", other, root, want)
		d.settle("the server", d.c, d.root, want)
	}
	diff := "unknown"
	for end := time.Now().Add(patience); diff != "" && time.Now().Before(end); {
		if diff = cmp.Diff(d.shown(other, root), d.shownNow()); diff != "" {
			time.Sleep(time.Millisecond) // published diagnostics may come later
		}
	}
	if diff != "" {
		d.t.Errorf("diagnostics (-fresh +after edits):\n%s", diff)
	}
	other.Shutdown()
}

// A question is a request, with ROOT in its parameters for the folder.
type question struct{ method, params string }

func ask(method string, params map[string]any, root string) question {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return question{method, strings.ReplaceAll(string(text), lsptest.URI(root), "ROOT")}
}

// withoutRoot replaces the folder in a text with ROOT, whether it is a URI or a path.
func withoutRoot(text, root string) string {
	names := []string{lsptest.URI(root), "ROOT", root, "ROOT"}
	if here, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(here, root); err == nil {
			names = append(names, filepath.ToSlash(rel), "ROOT")
		}
	}
	return strings.NewReplacer(names...).Replace(text)
}

// offers maps the capabilities of a server to requests that use them.
var offers = map[string]func(d *desk, doc *lsptest.Document) []question{
	"hoverProvider":          atPlace("textDocument/hover"),
	"definitionProvider":     atPlace("textDocument/definition"),
	"declarationProvider":    atPlace("textDocument/declaration"),
	"implementationProvider": atPlace("textDocument/implementation"),
	"completionProvider":     atPlace("textDocument/completion"),
	"referencesProvider": func(d *desk, doc *lsptest.Document) []question {
		params := lsptest.At(doc.URI, d.position(doc))
		params["context"] = map[string]any{"includeDeclaration": true}
		return []question{ask("textDocument/references", params, d.root)}
	},
	"codeLensProvider":   ofDocument("textDocument/codeLens"),
	"diagnosticProvider": ofDocument("textDocument/diagnostic"),
	"inlayHintProvider": func(d *desk, doc *lsptest.Document) []question {
		return []question{ask("textDocument/inlayHint", lsptest.In(doc.URI, d.stretch(doc)), d.root)}
	},
	"codeActionProvider": func(d *desk, doc *lsptest.Document) []question {
		params := lsptest.In(doc.URI, d.stretch(doc))
		params["context"] = map[string]any{"diagnostics": []any{}}
		return []question{ask("textDocument/codeAction", params, d.root)}
	},
}

func atPlace(method string) func(*desk, *lsptest.Document) []question {
	return func(d *desk, doc *lsptest.Document) (list []question) {
		for range 3 {
			list = append(list, ask(method, lsptest.At(doc.URI, d.position(doc)), d.root))
		}
		return list
	}
}

func ofDocument(method string) func(*desk, *lsptest.Document) []question {
	return func(d *desk, doc *lsptest.Document) []question {
		return []question{ask(method, map[string]any{"textDocument": map[string]any{"uri": doc.URI}}, d.root)}
	}
}

// position returns a position in a document, sometimes behind the end of a line.
func (d *desk) position(doc *lsptest.Document) lsptest.Position {
	p := lsptest.PositionOf(doc.Text, d.place(doc.Text), d.c.Encoding)
	if d.r.IntN(10) == 0 {
		p.Character += d.r.IntN(100)
	}
	return p
}

func (d *desk) stretch(doc *lsptest.Document) lsptest.Range {
	at := d.place(doc.Text)
	end := at + d.place(doc.Text[at:])
	return lsptest.Range{Start: lsptest.PositionOf(doc.Text, at, d.c.Encoding), End: lsptest.PositionOf(doc.Text, end, d.c.Encoding)}
}

// questions returns requests about two open documents, some for each capability of the server.
func (d *desk) questions() (list []question) {
	for range min(2, len(d.open)) {
		doc := d.open[pick(d.r, d.open)]
		for _, offer := range slices.Sorted(maps.Keys(offers)) {
			given := string(d.c.Server.Capabilities[offer])
			if given != "" && given != "false" && given != "null" {
				list = append(list, offers[offer](d, doc)...)
			}
		}
	}
	return list
}

// ask sends all requests at once, and returns the answers.
func (d *desk) ask(c *lsptest.Client, root string, questions []question) (answers []string) {
	var waits []func(any) error
	for _, q := range questions {
		params := json.RawMessage(strings.ReplaceAll(q.params, "ROOT", lsptest.URI(root)))
		_, wait := c.Start(q.method, params)
		waits = append(waits, wait)
	}
	for i, wait := range waits {
		var result json.RawMessage
		if err := wait(&result); err != nil {
			d.t.Errorf("%s %s: %v", questions[i].method, questions[i].params, err)
		}
		if text := string(result); c == d.c && text != "null" && text != "[]" && text != "" {
			d.told[strings.TrimPrefix(questions[i].method, "textDocument/")]++
		}
		answers = append(answers, questions[i].method+" "+questions[i].params+"\n"+plain(d.t, result, root))
	}
	return answers
}

// plain formats JSON without the parts that differ from server to server.
func plain(t testing.TB, text []byte, root string) string {
	if len(text) == 0 {
		return "nothing"
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	_ = enc.Encode(withoutIDs(value))
	return withoutRoot(out.String(), root)
}

// withoutIDs removes the IDs of results, and related documents without diagnostics.
func withoutIDs(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "resultId")
		if related, ok := value["relatedDocuments"].(map[string]any); ok {
			// The server lists a document that had diagnostics before, but a fresh one doesn't.
			maps.DeleteFunc(related, func(_ string, report any) bool { return len(report.(map[string]any)["items"].([]any)) == 0 })
			if len(related) == 0 {
				delete(value, "relatedDocuments")
			}
		}
		for key, inner := range value {
			value[key] = withoutIDs(inner)
		}
	case []any:
		for i := range value {
			value[i] = withoutIDs(value[i])
		}
	}
	return value
}

// checked lists the findings of check, with the open texts written to disk, as FILE:LINE RULE.
// It reports false if the directory is gone.
func (d *desk) checked(dir string) (list []string, ok bool) {
	saved := d.t.TempDir()
	copied := filepath.Join(saved, filepath.Base(dir))
	if _, err := os.Stat(dir); err != nil {
		return nil, false
	}
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		d.t.Fatal(err)
	}
	d.copySettings(d.root, saved)
	for name, doc := range d.open {
		if err := os.WriteFile(filepath.Join(copied, name), []byte(doc.Text), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	status := cli.Run([]string{"--chdir", saved, "check", "--json", filepath.Base(copied)}, cli.Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	var report struct {
		Findings []struct {
			Rule, Path string
			Range      struct{ Start struct{ Line int } }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		if status == 1 {
			return nil, true // the directory has no module
		}
		d.t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	broken := map[string]bool{}
	for _, f := range report.Findings {
		if f.Rule == "syntax-error" && broken[f.Path] {
			continue // the server reports one per file
		}
		broken[f.Path] = broken[f.Path] || f.Rule == "syntax-error"
		list = append(list, placeOf(f.Path, max(1, f.Range.Start.Line), f.Rule))
	}
	slices.Sort(list)
	return list, true
}

// placeOf is FILE:LINE RULE, without the location if the rule is about the whole module, because
// the server reports that in some file.
func placeOf(path string, line int, rule string) string {
	if rule == "unreadable" {
		return rule
	}
	return fmt.Sprintf("%s:%d %s", path, line, rule)
}

// settle waits until the diagnostics of a server are the findings of check.
func (d *desk) settle(who string, c *lsptest.Client, root string, want []string) {
	last := ""
	isSo := func(all map[string][]lsptest.Diagnostic) bool {
		var list []string
		for uri, diags := range all {
			path := pathOfURI(d.t, root, uri)
			for _, diag := range diags {
				list = append(list, placeOf(path, diag.Range.Start.Line+1, diag.Code))
			}
		}
		slices.Sort(list)
		last = cmp.Diff(want, list)
		return last == ""
	}
	// Published diagnostics may come later, but pulled ones must be right at once.
	pulled := d.pulled(c)
	err := c.WaitAtMost(20*time.Second, func(all map[string]lsptest.Published) bool { return isSo(merged(all, pulled)) })
	if err != nil {
		d.t.Fatalf("%s (-check +published): %v\n%s\nafter\n%s", who, err, last, strings.Join(d.did, "\n"))
	}
}

func pathOfURI(t testing.TB, root, uri string) string {
	rest, ok := strings.CutPrefix(uri, lsptest.URI(root)+"/")
	if !ok {
		return uri
	}
	return strings.ReplaceAll(strings.ReplaceAll(rest, "%20", " "), "%C3%A9", "é")
}

// pulled asks a server for its diagnostics, if it supports that.
func (d *desk) pulled(c *lsptest.Client) map[string][]lsptest.Diagnostic {
	if c.Server.Capabilities["diagnosticProvider"] == nil {
		return nil
	}
	all, err := c.Pull()
	if err != nil {
		d.t.Error(err)
	}
	if !d.asksForWorkspace(c) {
		return all
	}
	// Open documents must be the same there.
	whole, err := c.PullWorkspace([]any{nil, "part"}[d.kind%2])
	if err != nil {
		d.t.Error(err)
		return all
	}
	for uri, list := range all {
		if diff := cmp.Diff(list, whole[uri], cmpopts.EquateEmpty()); diff != "" {
			d.t.Errorf("%s (-asked for +of the workspace):\n%s", uri, diff)
		}
	}
	return whole
}

// start starts a client in a folder.
func (d *desk) start(c *lsptest.Client, root string) {
	c.InitializeWith([]string{root}, d.capabilities(), nil)
	if d.asksForWorkspace(c) {
		if _, err := c.PullWorkspace(nil); err != nil { // which ends that others are reported on with a document
			d.t.Error(err)
		}
	}
}

// asksForWorkspace reports whether the kind of editor asks for the diagnostics of all files.
func (d *desk) asksForWorkspace(c *lsptest.Client) bool {
	return d.kind/9%2 == 1 && c.Server.Capabilities["diagnosticProvider"] != nil
}

// merged adds the published diagnostics to the pulled ones.
func merged(sent map[string]lsptest.Published, pulled map[string][]lsptest.Diagnostic) map[string][]lsptest.Diagnostic {
	all := maps.Clone(pulled)
	if all == nil {
		all = map[string][]lsptest.Diagnostic{}
	}
	for uri, p := range sent {
		if len(p.Diagnostics) > 0 {
			all[uri] = append(all[uri], p.Diagnostics...)
		}
	}
	return all
}

// shown returns the diagnostics that a client shows, by document.
func (d *desk) shown(c *lsptest.Client, root string) map[string]string {
	all := map[string]string{}
	for uri, diags := range merged(c.Published(), d.pulled(c)) {
		if len(diags) > 0 {
			text, err := json.Marshal(diags)
			if err != nil {
				panic(err)
			}
			all[strings.ReplaceAll(uri, lsptest.URI(root), "ROOT")] = withoutRoot(string(text), root)
		}
	}
	return all
}

// shownNow returns the diagnostics of the server after the edits. If no document is open, it
// waits until there are none.
func (d *desk) shownNow() map[string]string {
	if len(d.open) == 0 {
		err := d.c.WaitAtMost(20*time.Second, func(all map[string]lsptest.Published) bool {
			for _, p := range all {
				if len(p.Diagnostics) > 0 {
					return false
				}
			}
			return true
		})
		if err != nil {
			d.t.Errorf("there are diagnostics, although no document is open: %v", err)
		}
	}
	return d.shown(d.c, d.root)
}
