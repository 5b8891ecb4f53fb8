package report

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A provenance describes by histories.
type provenance struct {
	redact    wording.Redactor
	merged    *merge.Module
	outranked layers.OutrankedDefaults
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int
	owners    map[*merge.MergedBody]*merge.MergedItem
}

// Provenance describes overrides in JSON by the histories of each block and of its contents.
func Provenance(m *merge.Module, redact wording.Redactor, outranked layers.OutrankedDefaults) jsonout.Describer {
	p := &provenance{
		redact:    redact,
		merged:    m,
		outranked: outranked,
		addresses: map[*merge.MergedItem]address.Address{},
		order:     map[*merge.MergedItem]int{},
		owners:    map[*merge.MergedBody]*merge.MergedItem{},
	}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		p.addresses[e], p.order[e] = own, len(p.order)
		if e.Inner() != nil {
			p.owners[e.Inner()] = e
		}
	})
	return p
}

// A provenanceRecord is the description of one body.
type provenanceRecord struct {
	FormatVersion string          `json:"format_version"`
	Engine        string          `json:"engine"`
	Histories     []HistoryRecord `json:"histories"`
}

// Outranked implements jsonout.Describer.
func (p *provenance) Outranked() iter.Seq[*source.Attr] { return maps.Keys(p.outranked) }

// About implements jsonout.Describer.
func (p *provenance) About(c *merge.MergedBody, b, added *source.Block) (jsonvalue.Raw, *source.Block) {
	if c == nil || b.Type == source.EscapeBlock {
		return nil, added
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && b == c.FirstPart() {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.describedEntries(c, b)...)), added
}

// Addition implements jsonout.Describer.
func (p *provenance) Addition(e *merge.MergedItem, _ *source.Attr) jsonvalue.Raw {
	return p.record([]*merge.MergedItem{e})
}

// describedEntries lists the entries that a body describes: those printed in it, except for blocks
// that describe themselves.
func (p *provenance) describedEntries(c *merge.MergedBody, b *source.Block) []*merge.MergedItem {
	list := p.outrankedIn(c, b)
	for _, e := range c.ReportedIn(b) {
		switch {
		case !e.IsOverridden() || e.Rule.Do == rules.Flatten:
		case e.Inner() != nil && e.InEffect():
		default:
			list = append(list, e)
			if e.Inner() != nil {
				list = append(list, p.lost(e.Inner())...)
			}
		}
	}
	return list
}

// outrankedIn lists the defaults that no override addressed and that something outranks.
func (p *provenance) outrankedIn(c *merge.MergedBody, b *source.Block) (list []*merge.MergedItem) {
	for _, it := range b.Items() {
		if a, ok := it.(*source.Attr); ok && p.outranked[a] != nil && c.IsUntouched(a) {
			e := c.Owner(a)
			p.addresses[e] = address.OfBlock(p.merged, b).Join(address.New(a.Name))
			list = append(list, e)
		}
	}
	return list
}

// lost lists the items of a block that are not printed.
func (p *provenance) lost(c *merge.MergedBody) []*merge.MergedItem {
	var list []*merge.MergedItem
	for _, e := range c.Items {
		if e.Rule.Do != rules.Flatten {
			list = append(list, e)
		}
		if e.Inner() != nil {
			list = append(list, p.lost(e.Inner())...)
		}
	}
	return list
}

func (p *provenance) record(entries []*merge.MergedItem) jsonvalue.Raw {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b *merge.MergedItem) int { return p.order[a] - p.order[b] })
	rec := provenanceRecord{FormatVersion: FormatVersion, Engine: p.merged.Source.Engine.String()}
	for _, e := range entries {
		own := p.addresses[e]
		history := History(p.redact, address.Target{Address: own, Of: own, Item: e})
		history.OutrankedBy = OutrankedBy(p.outranked, e.Attr())
		rec.Histories = append(rec.Histories, history)
	}
	text, err := safetext.JSON(rec, "")
	if err != nil {
		panic("report: invalid JSON: " + err.Error())
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
