package jsonout

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// In JSON, the property "//" of block bodies describes the effects of overrides, in bodies in which
// the language ignores it: by short marks, or by the histories of the block and of its contents.

// A describer describes, body by body, the effects of overrides.
type describer interface {
	// about returns the description for the body of a block with a content, or nil, and the block
	// added by an override around its contents, given the one around the block.
	about(c *merge.MergedBody, b, added *source.Block) (text jsonvalue.Raw, isAdded *source.Block)
	// addition returns the description beside an argument that an override added without a block
	// around it.
	addition(e *merge.MergedItem, a *source.Attr) jsonvalue.Raw
}

// describe is the property "//" of a body, which keeps existing comments beside the description.
func describe(text jsonvalue.Raw, comments [][]byte) jsonvalue.Raw {
	said := &jsonvalue.Object{}
	said.Add(ownProperty, text)
	switch comments = withoutOwn(comments); len(comments) {
	case 0:
	case 1:
		said.Add(commentProperty, jsonvalue.Raw(comments[0]))
	default:
		said.Add(commentProperty, jsonvalue.Raw(slices.Concat([]byte("["), bytes.Join(comments, []byte(",")), []byte("]"))))
	}
	return jsonvalue.Text(said)
}

// The properties of the object under "//".
const (
	ownProperty     = "tofumerge"
	commentProperty = "comment"
)

// withoutOwn removes the descriptions of an earlier run from comments.
func withoutOwn(comments [][]byte) [][]byte {
	var list [][]byte
	for _, text := range comments {
		var earlier map[string]json.RawMessage
		if json.Unmarshal(text, &earlier) != nil || !bytes.HasPrefix(earlier[ownProperty], []byte("{")) {
			list = append(list, text)
			continue
		}
		delete(earlier, ownProperty)
		if comment := earlier[commentProperty]; comment != nil && len(earlier) == 1 {
			list = append(list, comment)
		} else if len(earlier) > 0 {
			list = append(list, text)
		}
	}
	return list
}

// marks describes by marks.
type marks struct{ annotate.Words }

func (m marks) about(c *merge.MergedBody, b, added *source.Block) (jsonvalue.Raw, *source.Block) {
	if b.Type == source.EscapeBlock {
		return nil, added
	}
	list, added := m.Block(c, b, added)
	return encodeMarks(list), added
}

func (m marks) addition(e *merge.MergedItem, a *source.Attr) jsonvalue.Raw {
	return encodeMarks(m.Addition(e, a))
}

func encodeMarks(list []annotate.NamedMark) jsonvalue.Raw {
	if len(list) == 0 {
		return nil
	}
	object := &jsonvalue.Object{}
	for _, mark := range list {
		object.Add(mark.Name, encode(mark.Text))
	}
	return jsonvalue.Text(object)
}

// encode is a value as JSON.
func encode(value any) jsonvalue.Raw {
	text, err := report.Encode(value, "")
	if err != nil {
		panic("jsonout: invalid JSON: " + err.Error())
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}

// A provenance describes by histories.
type provenance struct {
	annotate.Words
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int
	owners    map[*merge.MergedBody]*merge.MergedItem
}

func newProvenance(words annotate.Words) *provenance {
	p := &provenance{
		Words:     words,
		addresses: map[*merge.MergedItem]address.Address{},
		order:     map[*merge.MergedItem]int{},
		owners:    map[*merge.MergedBody]*merge.MergedItem{},
	}
	address.Walk(words.Merged, func(own address.Address, e *merge.MergedItem) {
		p.addresses[e], p.order[e] = own, len(p.order)
		if e.Inner() != nil {
			p.owners[e.Inner()] = e
		}
	})
	return p
}

// A provenanceRecord is the description of one body.
type provenanceRecord struct {
	FormatVersion string                 `json:"format_version"`
	Engine        string                 `json:"engine"`
	Histories     []report.HistoryRecord `json:"histories"`
}

func (p *provenance) about(c *merge.MergedBody, b, added *source.Block) (jsonvalue.Raw, *source.Block) {
	if c == nil || b.Type == source.EscapeBlock {
		return nil, added
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && b == c.FirstPart() {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.describedEntries(c, b)...)), added
}

func (p *provenance) addition(e *merge.MergedItem, _ *source.Attr) jsonvalue.Raw {
	return p.record([]*merge.MergedItem{e})
}

// describedEntries lists the entries that a body describes: those printed in it, except for blocks
// that describe themselves.
func (p *provenance) describedEntries(c *merge.MergedBody, b *source.Block) []*merge.MergedItem {
	list := p.outranked(c, b)
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

// outranked lists the defaults that no override addressed and that something outranks.
func (p *provenance) outranked(c *merge.MergedBody, b *source.Block) (list []*merge.MergedItem) {
	for _, it := range b.Items() {
		if a, ok := it.(*source.Attr); ok && p.Outranked[a] != nil && c.IsUntouched(a) {
			e := c.Owner(a)
			p.addresses[e] = address.OfBlock(p.Merged, b).Join(address.New(a.Name))
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
	rec := provenanceRecord{FormatVersion: report.FormatVersion, Engine: p.Module.Engine.String()}
	for _, e := range entries {
		own := p.addresses[e]
		history := report.History(p.Redactor, address.Target{Address: own, Of: own, Item: e})
		history.OutrankedBy = report.OutrankedBy(p.Outranked, e.Attr())
		rec.Histories = append(rec.Histories, history)
	}
	return encode(rec)
}
