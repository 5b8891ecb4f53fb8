package editor_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
)

// Settings files in TestLSPEdits: one beside the module, and one above it.

const settingsAbove = "../" + policy.FileName

func isSettings(name string) bool { return filepath.Base(name) == policy.FileName }

// Valid and invalid settings files.
var (
	goodSettings = []string{
		"", "# nothing yet\n", "enable = [\"list-replace-drops-elements\"]\n", "disable = [\"equivalent-override\"]\n",
		"min_severity = \"warning\"\n", "deny = [\"*.*.tags\", \"variable.*\"]\nallow_files = [\"override.tf\"]\n",
		"deny_overrides = true\r\n", "engine = \"terraform@1.9\"\n", "against_engines = [\"terraform@1.5\"]\n",
	}
	badSettings = []string{
		"disable = [\"equivalent\"]\n", "\ufeffengine = \"cobol\"", "min_severity = [\n", "😀 = 1\n", "fail_on = \"never\"\n",
	}
)

// editSettings opens a settings file and replaces its text.
func (d *desk) editSettings() {
	name := []string{policy.FileName, settingsAbove}[d.r.IntN(2)]
	if d.open[name] == nil {
		d.note("open %s", name)
		d.open[name] = d.c.Open(filepath.Join(d.dir, name), d.disk[name])
		d.past[name] = nil
	}
	list := goodSettings
	if d.r.IntN(4) == 0 {
		list = badSettings
		d.told["settings broken"]++
	}
	d.told["settings edited"]++
	d.replace(name, 0, len(d.open[name].Text), list[d.r.IntN(len(list))])
}

// repairSettings makes all settings files valid.
func (d *desk) repairSettings() {
	for _, name := range []string{policy.FileName, settingsAbove} {
		text := goodSettings[d.r.IntN(len(goodSettings))]
		if doc := d.open[name]; doc != nil && !slices.Contains(goodSettings, doc.Text) {
			d.note("repair %s by %q", name, text)
			d.c.Change(doc, lsptest.Edit{Text: text})
		}
		if saved, isThere := d.disk[name]; isThere && !slices.Contains(goodSettings, saved) {
			d.note("repair %s on disk by %q", name, text)
			d.makeDir()
			d.write(name, text, lsptest.Changed)
		}
	}
}

// copySettings copies the settings file above the module to another folder.
func (d *desk) copySettings(from, to string) {
	text, err := os.ReadFile(filepath.Join(from, policy.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, policy.FileName), text, 0o600)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// isAnalysed reports whether the server analyses the module, because a document of it is open.
func (d *desk) isAnalysed() bool {
	for name := range d.open {
		if name != settingsAbove {
			return true
		}
	}
	return false
}
