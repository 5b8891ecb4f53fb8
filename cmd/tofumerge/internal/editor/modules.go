package editor

import (
	"context"
	"errors"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// maxSearched is the maximum number of directories that are searched. The folder of an editor
// may be the root of the file system.
const maxSearched = 100_000

// Modules lists the modules with override files in a directory and below, except those that git
// ignores. Unlike check, an editor gives no verdict.
func (n *Analyst) Modules(ctx context.Context, dir string) ([]string, error) {
	searched := 0
	quiet := func(string) {}
	s := &discover.Search{
		Base: n.ws.Base(), Recursive: true, DirsOnly: true, Warn: quiet, Note: quiet,
		IsOver: func() bool {
			searched++
			return ctx.Err() != nil || searched > maxSearched
		},
	}
	found, err := s.Find([]string{dir})
	if deep := (*discover.TooDeepError)(nil); errors.As(err, &deep) {
		err = errors.New(deep.Fact() + ", so its modules are not reported on")
	}
	var dirs []string
	for _, subject := range found.Subjects {
		if discover.MayHoldOverrides(repo.In(s.Base, subject.Dir)) {
			dirs = append(dirs, subject.Dir)
		}
	}
	return dirs, err
}
