package editor_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// unclosed opens a heredoc, whose text is the rest of the file until somebody types its end.
const unclosed = "locals {\n  a = <<EOT\n"

// aboveHeredoc is a client with a long file open, and a function that opens a heredoc at its top,
// hovers there, and removes it again.
func aboveHeredoc(t testing.TB, size int) (text string, open, remove func()) {
	var all strings.Builder
	for i := 0; all.Len() < size; i++ {
		fmt.Fprintf(&all, "resource \"x\" \"y%d\" {\n  a = \"${var.b}-c\"\n}\n", i)
	}
	text = all.String()
	dir := clitest.Write(t, map[string]string{"main.tf": text, "x_override.tf": "resource \"x\" \"y7\" {\n  a = 1\n}\n"})
	c, _ := connect(t, "--chdir", dir)
	c.Initialize([]string{dir})
	doc := c.Open(filepath.Join(dir, "main.tf"), text)
	hover := func() {
		c.Call("textDocument/hover", lsptest.At(doc.URI, lsptest.Position{Line: 1, Character: 2}), nil)
	}
	hover()
	return text, func() { c.Replace(doc, 0, 0, unclosed); hover() }, func() { c.Replace(doc, 0, len(unclosed), ""); hover() }
}

// TestUnclosedHeredoc fails if a hover below the start of a heredoc without an end costs more than
// three runs of the parser, or more than in proportion to the text.
func TestUnclosedHeredoc(t *testing.T) {
	allocated := func(f func()) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	var hovers [2]int
	for i := range hovers {
		text, open, _ := aboveHeredoc(t, 50<<10<<i)
		once := allocated(func() { parse.Config([]byte(unclosed+text), "", hcl.InitialPos) })
		hovers[i] = allocated(open)
		if hovers[i] > 3*once {
			t.Errorf("a hover allocates %d bytes, and the parser %d", hovers[i], once)
		}
	}
	if hovers[1] > hovers[0]*23/10 {
		t.Errorf("a hover allocates %d bytes, and %d in twice the text", hovers[0], hovers[1])
	}
}

// BenchmarkUnclosedHeredoc measures the time from the start of a heredoc to the answer of a hover.
func BenchmarkUnclosedHeredoc(b *testing.B) {
	for _, kilobytes := range []int{125, 250, 500} {
		b.Run(fmt.Sprintf("%dKB", kilobytes), func(b *testing.B) {
			_, open, remove := aboveHeredoc(b, kilobytes*1000)
			var times []time.Duration
			var used time.Duration
			for b.Loop() {
				start, begun := time.Now(), processorTime()
				open()
				times, used = append(times, time.Since(start)), used+processorTime()-begun
				remove()
			}
			reportTimes(b, times)
			b.ReportMetric(float64(used)/float64(time.Millisecond)/float64(len(times)), "processor-ms/op")
		})
	}
}
