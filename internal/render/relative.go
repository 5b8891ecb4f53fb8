package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// RelativeToModule words what means something else when a module's configuration
// files stand in another directory: local module sources, and path.module. If
// the rest of the directory comes along, only what leads out of it counts.
func RelativeToModule(m *merge.Module, withRest bool) []string {
	var found []string
	m.Complete()
	m.Walk(func(address string, e *merge.Entry) {
		for _, it := range e.Live {
			a, ok := it.(*load.Attr)
			if !ok {
				continue
			}
			source, isText := load.ConstantString(a)
			isUp, isDown := strings.HasPrefix(source, "../"), strings.HasPrefix(source, "./")
			if load.IsModuleSource(a) && isText && (isUp || isDown && !withRest) {
				found = append(found, fmt.Sprintf("%s: the source of %s is relative to the module's directory", placeText(a), load.Escape(address)))
			}
		}
	})
	if withRest {
		return found
	}
	for _, f := range m.Source.Files {
		for at := 0; ; {
			n := bytes.Index(f.Given[at:], []byte("path.module"))
			if n < 0 {
				break
			}
			at += n + len("path.module")
			found = append(found, fmt.Sprintf("%s:%d: path.module is another directory there", fileName(f.Name), 1+bytes.Count(f.Given[:at], newline)))
		}
	}
	return found
}
