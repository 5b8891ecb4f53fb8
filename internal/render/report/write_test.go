package report

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// A report whose histories are written one by one has the text of one that is written as a
// whole.
func TestWriteLater(t *testing.T) {
	value := "\n  \"histories\": [\u2028::error::##[x]"
	record := func(i int) HistoryRecord {
		item := ItemRecord{Value: &value, Labels: []string{value}}
		return HistoryRecord{Module: value, Address: fmt.Sprint(i), Effective: []ItemRecord{}, Steps: []StepRecord{{ItemRecord: item}}}
	}
	for _, n := range []int{0, 1, 2, 5} {
		var all []HistoryRecord
		for i := range n {
			all = append(all, record(i))
		}
		for _, isLater := range []bool{false, true} {
			r := Report{OnlyNew: value, Histories: append([]HistoryRecord{}, all...), Diagnostics: []DiagnosticRecord{{Summary: value}}}
			want, err := safetext.JSON(r, jsonIndent)
			if err != nil {
				t.Fatal(err)
			}
			if isLater {
				r.Histories, r.Later = nil, slices.Values(all)
			}
			var got bytes.Buffer
			if err := r.Write(&got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("%d histories, made later: %v (-want +got):\n%s", n, isLater, diff)
			}
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// Where the result can't be written, no more histories are made.
func TestWriteLaterFails(t *testing.T) {
	made := 0
	var r Report
	r.Later = func(yield func(HistoryRecord) bool) {
		for made < 1_000_000 && yield(HistoryRecord{}) {
			made++
		}
	}
	if err := r.Write(full{}); err == nil || made > 1000 {
		t.Errorf("%v after %d histories, want an error after a few", err, made)
	}
}
