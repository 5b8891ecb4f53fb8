package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Each case is a module, and everything that a report can contain about it: files with their
// effects, findings with their histories, changes, histories of overridden names, and differences.
func TestModules(t *testing.T) {
	loadtest.Run(t, "testdata/modules", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		diags = append(diags, more...)
		src.PlaceOnDisk(diags)
		redact := wording.NewRedactor(src, false)
		r := New(src.Engine)
		r.Add(src, diags)
		r.AddFiles("dir", Files(m, diags))
		found := check.Findings(m, diags, func(id string) bool { return id != "unmarked-override" })
		check.Sort(m, found)
		r.Findings = Findings(src, "dir", found)
		r.CountFindings()
		if !diags.HasErrors() {
			r.Changes = Changes(ModuleChanges{Redact: redact, Blocks: changes.Of(m)}, "dir")
			r.Totals = &TotalsRecord{}
			r.Totals.Add(m, diags, changes.Of(m))
			diffs, _ := rewrite.Diff(m)
			r.AddFiles("diff", DiffRecords(diffs))
		}
		r.AddHistories("dir", slices.Values(Overridden(m, redact)))
		r.AddHistories("findings", slices.Values(FindingHistories(m, "dir", found)))
		var out bytes.Buffer
		if err := r.Write(&out); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"report": brief(t, out.Bytes())}
	})
}

// brief is JSON with a line for each object that holds no others, and ranges as FILE:LINE:COLUMN.
func brief(t *testing.T, text []byte) string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	var out strings.Builder
	if err := outlined(dec, &out, ""); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// outlined writes the next value of JSON.
func outlined(dec *json.Decoder, out *strings.Builder, indent string) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	delim, isDelim := token.(json.Delim)
	if !isDelim {
		text, _ := json.Marshal(token)
		fmt.Fprintf(out, " %s\n", text)
		return nil
	}
	out.WriteString("\n")
	for dec.More() {
		name := "-"
		if delim == '{' {
			key, _ := dec.Token()
			name = key.(string) + ":"
		}
		if name == "range:" || name == "by:" {
			if err := place(dec, out, indent+name); err != nil {
				return err
			}
			continue
		}
		out.WriteString(indent + name)
		if err := outlined(dec, out, indent+"  "); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// place writes a range.
func place(dec *json.Decoder, out *strings.Builder, name string) error {
	var r *RangeRecord
	if err := dec.Decode(&r); err != nil || r == nil {
		fmt.Fprintf(out, "%s null\n", name)
		return err
	}
	fmt.Fprintf(out, "%s %s:%d:%d-%d:%d\n", name, r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
	return nil
}

const shop = `-- main.tf --
resource "shop_till" "day" {
  size = 1
  tags = { Name = "n", Owner = "o" }
}
variable "key" {
  default   = "hunter2"
  sensitive = true
}
-- a_override.tf --
resource "shop_till" "day" {
  size = 2
}
variable "key" {
  default = "hunter3"
}
-- b_override.tf --
resource "shop_till" "day" {
  size = 3
}
`

// Values that are sensitive are in no record, and under redact no value that isn't in effect.
func TestRedacted(t *testing.T) {
	m := mergetest.Archive(t, shop)
	for redact, want := range map[bool]string{false: `"value":"1"`, true: `"value":"3"`} {
		var all []any
		words := wording.NewRedactor(m.Source, redact)
		for _, h := range Overridden(m, words) {
			all = append(all, h)
		}
		all = append(all, Changes(ModuleChanges{Redact: words, Blocks: changes.Of(m)}, "dir"))
		text, err := safetext.JSON(all, "")
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(string(text)), "")
		if strings.Contains(got, "hunter") || !strings.Contains(got, want) || redact && strings.Contains(got, `"value":"1"`) {
			t.Errorf("redacted %v: %s", redact, got)
		}
	}
}

// Histories cover the requested targets, and with all everything in them.
func TestHistories(t *testing.T) {
	m := mergetest.Archive(t, shop)
	a, err := address.Parse("shop_till.day")
	if err != nil {
		t.Fatal(err)
	}
	for all, want := range map[bool][]string{
		false: {"shop_till.day", "shop_till.day.size"}, true: {"shop_till.day", "shop_till.day.size", "shop_till.day.tags"},
	} {
		var got []string
		for h := range Histories(m, wording.NewRedactor(m.Source, false), lookup.Find(m, a), all) {
			got = append(got, h.Address)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("all %v (-want +got):\n%s", all, diff)
		}
	}
}

// Totals omit zeros, and use singular and plural words.
func TestTotals(t *testing.T) {
	for want, r := range map[string]TotalsRecord{
		"0 of 1 module has override files":                                                                   {Modules: 1},
		"1 of 3 modules has override files; 1 value changed":                                                 {Modules: 3, WithOverrides: 1, Counts: changes.Counts{Changed: 1}},
		"2 of 3 modules have override files; 2 values added, 1 dropped":                                      {Modules: 3, WithOverrides: 2, Counts: changes.Counts{Added: 2, Dropped: 1}},
		"2 of 2 modules have override files; 3 values changed, 1 added, 1 dropped; 1 override has no effect": {Modules: 2, WithOverrides: 2, NoEffect: 1, Counts: changes.Counts{Changed: 3, Added: 1, Dropped: 1}},
		"1 of 1 module has override files; 2 overrides have no effect":                                       {Modules: 1, WithOverrides: 1, NoEffect: 2},
	} {
		if got := r.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	var r TotalsRecord
	before := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n  b = 2\n}\n")
	after := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n}\n")
	r.Add(after, nil, changes.Between(before, after))
	if got, want := r.String(), "0 of 1 module has override files; 1 value removed"; got != want {
		t.Errorf("between revisions: %s, want %s", got, want)
	}
	r = TotalsRecord{}
	own := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = { b = 1, c = 2 }\n}\n-- override.tf --\nlocals {\n  a = { b = 1 }\n}\n")
	r.Add(own, nil, changes.Of(own))
	if got, want := r.String(), "1 of 1 module has override files; 1 value dropped"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
