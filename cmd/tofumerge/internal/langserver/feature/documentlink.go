package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// DocumentLinks are the override files, and the names in them, that the comments of mark in a
// file mention. What is not there any more is no link.
func DocumentLinks(v *view.View, name string) []protocol.DocumentLink {
	text := v.Text(name)
	if text == nil || v.Merged == nil {
		return nil
	}
	var links []protocol.DocumentLink
	notice.Mentions(v.Merged.Source.File(name), func(b *source.Block, m notice.Mention) {
		link := protocol.DocumentLink{Range: text.Range(m.From, m.To, v.Encoding)}
		if m.Name == "" {
			f := v.Merged.Source.File(m.File)
			if f == nil || f.Role != source.Override {
				return
			}
			link.Target, link.Tooltip = v.URI(m.File), wording.FileName(m.File)
		} else {
			it := overrideNamed(v, b, m)
			if it == nil {
				return
			}
			link.Target, link.Tooltip = protocol.DocumentURI(linkTo(v, it)), wording.Place(it)
		}
		links = append(links, link)
	})
	return links
}

// overrideNamed is the override that a mention above a block means, or nil.
func overrideNamed(v *view.View, b *source.Block, m notice.Mention) source.Item {
	for _, o := range overridesIn(v)[b] {
		if o.Name == m.Name && o.By.Source().Name == m.File {
			return o.By
		}
	}
	return nil
}
