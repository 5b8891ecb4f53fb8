package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/marker"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// DocumentLinks links the override files and names that the comments of mark in a file mention
// to the overrides. It leaves out those that no longer exist.
func DocumentLinks(v *view.View, name string) []protocol.DocumentLink {
	text := v.Text(name)
	if text == nil || v.Merged == nil {
		return nil
	}
	var links []protocol.DocumentLink
	var named map[string]source.Item // the overrides in namedIn, the block of the last mention
	var namedIn *source.Block
	marker.Mentions(v.Merged.Source.File(name), func(b *source.Block, m marker.Mention) {
		link := protocol.DocumentLink{Range: text.Range(m.From, m.To, v.Encoding)}
		if m.Name == "" {
			f := v.Merged.Source.File(m.File)
			if f == nil || f.Role != source.Override {
				return
			}
			link.Target, link.Tooltip = v.URI(m.File), diag.FileName(m.File)
		} else {
			if namedIn != b {
				named, namedIn = overridesNamed(v, b), b
			}
			it := named[m.File+"\x00"+m.Name]
			if it == nil {
				return
			}
			link.Target, link.Tooltip = protocol.DocumentURI(linkTo(v, it)), wording.Place(it)
		}
		links = append(links, link)
	})
	return links
}

// overridesNamed returns the first override of each name in a block, by file and name.
func overridesNamed(v *view.View, b *source.Block) map[string]source.Item {
	named := map[string]source.Item{}
	for _, o := range overridesIn(v)[b] {
		if key := o.By.Source().Name + "\x00" + o.Name; named[key] == nil {
			named[key] = o.By
		}
	}
	return named
}
