package jsonfile

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// CommentLost is the code of warnings about comments that JSON can't hold.
const CommentLost diag.Code = "comment-lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it source.Item, f *source.File) *hcl.Diagnostic {
	return diag.WithCode(CommentLost, &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Comment is lost",
		Detail: fmt.Sprintf(
			"JSON doesn't allow comments, so %s is written to %s without its comment.",
			diag.Escape(it.Called()), diag.FileName(f.Name),
		),
		Subject: it.Header().Ptr(),
	})
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
