package jsonfile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// CommentLost is the code of warnings about comments that JSON can't hold.
const CommentLost diag.Code = "comment-lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it source.Item, name string) *hcl.Diagnostic {
	return diag.WithCode(CommentLost, diag.Warning(
		it.Header(), "Comment is lost", "JSON doesn't allow comments, so %s is written to %s without its comment.",
		diag.Escape(it.Called()), diag.FileName(name),
	))
}

// CommentsLeftOut warns of comments that a file which is made of parts can't have: a JSON file those
// of native parts, and a native file the comment properties of JSON.
func CommentsLeftOut(parts []*extract.Part, name string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, m := range parts {
		if isJSON := strings.HasSuffix(name, ".json"); isJSON == (m.Item.Source().Syntax == source.JSON) {
			continue
		}
		if hasComments(m) {
			d := commentLost(m.Item, name)
			d.Summary = "Comment is left out"
			if m.Item.Source().Syntax == source.JSON {
				d.Detail = fmt.Sprintf("Native syntax doesn't allow comment properties, so %s is written to %s without them.", diag.Escape(m.Item.Called()), diag.FileName(name))
			}
			diags = append(diags, d)
		}
		if m.IsPartial {
			diags = append(diags, CommentsLeftOut(m.Held, name)...)
		}
	}
	return diags
}

// lostComments lists the items of native override files with comments that a JSON
// file can't keep.
func lostComments(file *plan.File) []source.Item {
	var list []source.Item
	changed := file.Extra()
	for _, i := range file.Indexes() {
		changed = append(changed, file.Blocks[i])
	}
	for _, b := range changed {
		if b.Content != nil && b.Changed {
			list = append(list, commentedIn(b.Content)...)
		}
	}
	return list
}

func commentedIn(c *merge.MergedBody) []source.Item {
	var list []source.Item
	for _, e := range c.Items {
		for _, it := range e.Live {
			f := it.Source()
			if f.Role != source.Override || f.Syntax != source.Native || e.Inner() != nil && e.Place != nil {
				continue
			}
			around := source.TriviaOf(it)
			if len(comments.Texts(f.Native[around.Lead:around.End])) > 0 {
				list = append(list, it)
			}
		}
		if e.Inner() != nil && e.Place != nil {
			list = append(list, commentedIn(e.Inner())...)
		}
	}
	return list
}

// hasComments reports whether comments belong to a part: around it, if those are wanted, or in it,
// unless only its contents are written.
func hasComments(m *extract.Part) bool {
	f, isWhole := m.Item.Source(), !m.IsPartial && !m.IsNull
	if f.Syntax == source.JSON {
		found := false
		if b, isBlock := m.Item.(*source.Block); isBlock && isWhole {
			b.EachRemark(func([2]uint32) { found = true })
		}
		return found
	}
	count := func(from, to int) int { return len(comments.Texts(f.Native[from:max(from, to)])) }
	around, at := source.TriviaOf(m.Item), m.Item.Extent()
	return m.HasLead && count(around.Lead, at.Start.Byte) > 0 || m.HasTail && count(at.End.Byte, around.End) > 0 ||
		isWhole && count(at.Start.Byte, at.End.Byte) > 0
}
