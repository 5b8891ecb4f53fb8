package editor_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// keystrokeScales are the sizes of modules for BenchmarkKeystroke.
var keystrokeScales = []struct {
	name                                 string
	files, blocks, overrides, overridden int
}{
	{"files=100", 100, 10, 5, 40},
	{"large", 300, 34, 10, 50},
}

// BenchmarkKeystroke types into a module, one character at a time, and measures the time from
// the edit to the diagnostics of its version, through the protocol: client and server are in
// this process, connected by pipes. Every keystroke changes the findings of check. It
// alternates between primary and override files.
func BenchmarkKeystroke(b *testing.B) {
	for _, s := range keystrokeScales {
		b.Run(s.name, func(b *testing.B) {
			dir := clitest.ScaleModule(b, s.files, s.blocks, s.overrides, s.overridden)
			old := time.Now().Add(-time.Hour)
			paths, _ := filepath.Glob(filepath.Join(dir, "*.tf"))
			for _, path := range paths {
				if err := os.Chtimes(path, old, old); err != nil {
					b.Fatal(err)
				}
			}
			typing(b, dir, "f0000.tf", "o0000_override.tf")
		})
	}
}

// typing opens files of a module and types into them in turn.
func typing(b *testing.B, dir string, names ...string) {
	c, _ := connect(b, "--chdir", dir)
	capabilities := lsptest.Capabilities("utf-16")
	delete(capabilities["textDocument"].(map[string]any), "diagnostic") // the server must publish them
	c.InitializeWith([]string{dir}, capabilities, nil)
	var docs []*lsptest.Document
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		// A block without labels is a finding, so each version has a diagnostic.
		typed := "\nresource \"x_server\" {\n}\nresource \"x_server\" \"n0_0\" {\n  size = \"x\"\n}\n"
		if !strings.Contains(name, "override") {
			typed = strings.Replace(typed, "n0_0", "typed", 1)
		}
		docs = append(docs, c.Open(filepath.Join(dir, name), string(text)+typed))
	}
	var times []time.Duration
	c.WaitFor(docs[len(docs)-1])
	heap, begun := newHeapWatch(), processorTime()
	r := rand.New(rand.NewPCG(3, 4))
	for n := 0; b.Loop(); n++ {
		doc := docs[n%len(docs)]
		at := len(doc.Text) - len("\"\n}\n")
		typed := time.Now()
		if r.IntN(2) == 0 && doc.Text[at-1] == 'x' {
			c.Replace(doc, at-1, at, "")
		} else {
			c.Replace(doc, at, at, "x")
		}
		c.WaitFor(doc)
		times = append(times, time.Since(typed))
		heap.look(n)
	}
	reportTimes(b, times)
	if used := processorTime() - begun; begun > 0 {
		b.ReportMetric(float64(used)/float64(time.Millisecond)/float64(len(times)), "processor-ms/op")
	}
	heap.report(b)
}

func reportTimes(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	ms := func(i int) float64 { return float64(times[min(i, len(times)-1)]) / float64(time.Millisecond) }
	b.ReportMetric(ms(len(times)/2), "p50-ms")
	b.ReportMetric(ms(len(times)*95/100), "p95-ms")
	b.ReportMetric(ms(len(times)), "max-ms")
}

// processorTime is the CPU time of this process, client and server, if the system has it. Unlike
// the latency, it doesn't depend on other work of the machine.
func processorTime() time.Duration {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / 100 // in ticks of 10 ms
}

// A heapWatch compares the memory in use after a collection with that at the start.
type heapWatch struct{ first, last, most uint64 }

func newHeapWatch() *heapWatch { return &heapWatch{} }

const lookEvery = 500

func (h *heapWatch) look(n int) {
	if n%lookEvery != 20 {
		return
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if h.first == 0 {
		h.first = m.HeapInuse
	}
	h.last, h.most = m.HeapInuse, max(h.most, m.HeapInuse)
}

func (h *heapWatch) report(b *testing.B) {
	b.ReportMetric(float64(h.first)/(1<<20), "heap-first-MB")
	b.ReportMetric(float64(h.last)/(1<<20), "heap-last-MB")
	b.ReportMetric(float64(h.most)/(1<<20), "heap-most-MB")
}
