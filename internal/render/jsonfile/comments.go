package jsonfile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// CommentLost is the code of warnings about comments that JSON can't hold.
const CommentLost diag.Code = "comment-lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it source.Item, name string) *hcl.Diagnostic {
	return diag.WithCode(CommentLost, &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Comment is lost",
		Detail: fmt.Sprintf(
			"JSON doesn't allow comments, so %s is written to %s without its comment.",
			diag.Escape(it.Called()), diag.FileName(name),
		),
		Subject: it.Header().Ptr(),
	})
}

// CommentsLeftOut warns of comments that a file which is made of parts can't have: a JSON file those
// of native parts, and a native file the comment properties of JSON.
func CommentsLeftOut(list []plan.BodyItem, name string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, m := range list {
		if m.Item.Source().Syntax == syntaxOf(name) {
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
		if m.Made.IsPartial {
			diags = append(diags, CommentsLeftOut(m.Made.Held, name)...)
		}
	}
	return diags
}

func syntaxOf(name string) source.Syntax {
	if strings.HasSuffix(name, ".json") {
		return source.JSON
	}
	return source.Native
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
			if len(source.CommentsIn(f.Native[around.Lead:around.End])) > 0 {
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
func hasComments(m plan.BodyItem) bool {
	f, isWhole := m.Item.Source(), !m.Made.IsPartial && !m.Made.IsNull
	if f.Syntax == source.JSON {
		found := false
		if b, isBlock := m.Item.(*source.Block); isBlock && isWhole {
			b.EachRemark(func([2]uint32) { found = true })
		}
		return found
	}
	count := func(from, to int) int { return len(source.CommentsIn(f.Native[from:max(from, to)])) }
	around, at := source.TriviaOf(m.Item), m.Item.Extent()
	return m.Made.HasLead && count(around.Lead, at.Start.Byte) > 0 || m.Made.HasTail && count(at.End.Byte, around.End) > 0 ||
		isWhole && count(at.Start.Byte, at.End.Byte) > 0
}
