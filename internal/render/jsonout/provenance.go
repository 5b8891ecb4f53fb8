package jsonout

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// In JSON, the property "//" of block bodies describes what overrides did,
// where the language ignores it: the histories of the block and of what it holds.

// A provenance describes, body by body, what overrides did.
type provenance struct {
	wording.Redactor
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int
	owners    map[*merge.MergedBody]*merge.MergedItem
}

func newProvenance(m *merge.Module, redact wording.Redactor) *provenance {
	p := &provenance{
		Redactor:  redact,
		addresses: map[*merge.MergedItem]address.Address{},
		order:     map[*merge.MergedItem]int{},
		owners:    map[*merge.MergedBody]*merge.MergedItem{},
	}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		p.addresses[e], p.order[e] = own, len(p.order)
		if e.Inner != nil {
			p.owners[e.Inner] = e
		}
	})
	return p
}

// A provenanceRecord is the value of a property "//".
type provenanceRecord struct {
	Tofumerge struct {
		FormatVersion string                 `json:"format_version"`
		Engine        string                 `json:"engine"`
		Histories     []report.HistoryRecord `json:"histories"`
	} `json:"tofumerge"`
	Comment json.RawMessage `json:"comment,omitempty"`
}

// about returns what to say in the body of a block that holds a content, and
// nothing if no override had anything to do with it. Comments that the body had
// come with it.
func (p *provenance) about(c *merge.MergedBody, b *source.Block, comments [][]byte) jsonvalue.Raw {
	if p == nil || c == nil || b.Type == language.EscapeBlock {
		return nil
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && plan.IsHome(c, b) {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.held(c, b)...), comments)
}

// held lists the entries that a body describes: those printed in it, except for blocks
// that describe themselves.
func (p *provenance) held(c *merge.MergedBody, b *source.Block) []*merge.MergedItem {
	var list []*merge.MergedItem
	for _, e := range c.ReportedIn(b) {
		switch {
		case !e.IsOverridden() || e.Rule.Do == merge.Flatten:
		case e.Inner != nil && e.InEffect():
		default:
			list = append(list, e)
			if e.Inner != nil {
				list = append(list, p.lost(e.Inner)...)
			}
		}
	}
	return list
}

// lost lists what a block holds that is not printed.
func (p *provenance) lost(c *merge.MergedBody) []*merge.MergedItem {
	var list []*merge.MergedItem
	for _, e := range c.Items {
		if e.Rule.Do != merge.Flatten {
			list = append(list, e)
		}
		if e.Inner != nil {
			list = append(list, p.lost(e.Inner)...)
		}
	}
	return list
}

func (p *provenance) record(entries []*merge.MergedItem, comments [][]byte) jsonvalue.Raw {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b *merge.MergedItem) int { return p.order[a] - p.order[b] })
	var rec provenanceRecord
	rec.Tofumerge.FormatVersion, rec.Tofumerge.Engine = report.FormatVersion, p.Module.Engine.String()
	for _, e := range entries {
		own := p.addresses[e]
		rec.Tofumerge.Histories = append(rec.Tofumerge.Histories, report.History(
			p.Redactor, address.Target{Address: own, Of: own, Item: e},
		))
	}
	switch len(comments) {
	case 0:
	case 1:
		rec.Comment = comments[0]
	default:
		rec.Comment = bytes.Join([][]byte{[]byte("["), bytes.Join(comments, []byte(",")), []byte("]")}, nil)
	}
	text, err := report.Encode(rec, "")
	if err != nil {
		panic("jsonout: a history that is no JSON: " + err.Error())
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
