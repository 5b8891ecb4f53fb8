package process

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Rewriting a module leaves much garbage: for 6 MB as JSON, 95 MiB. It is collected sooner, unless
// that takes longer than it gains, and never later than before.
func TestHeapForRewrite(t *testing.T) {
	const before = 555
	for _, c := range []struct {
		native, json int64
		want         int
	}{
		{native: 1 << 20, want: before},
		{native: 6 << 20, want: percentForRewrite},
		{native: 20 << 20, want: percentForRewrite},
		{native: 40 << 20, want: before},
		{native: 1 << 20, json: 6 << 20, want: percentForRewrite},
		{native: 1 << 20, json: 16 << 20, want: before},
	} {
		was := debug.SetGCPercent(before)
		new(Heap).ForRewrite(c.native, c.json)
		if got := debug.SetGCPercent(was); got != c.want {
			t.Errorf("%d bytes and %d of JSON: %d percent, want %d", c.native, c.json, got, c.want)
		}
	}
}

// The garbage of many small modules is collected late, until a large one is among them. A
// server keeps its setting.
func TestHeapForMany(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	h := &Heap{}
	for _, step := range []struct {
		do   func()
		want int
	}{
		{func() { h.Sized(1, 0) }, percentForTiny},
		{func() { h.Sized(16<<20, 0) }, percentForSmall},
		{func() { h.Sized(1, 0) }, percentForSmall},
		{h.ForMany, percentForMany},
		{func() { h.Sized(smallModule, 0) }, percentForMany},
		{func() { h.Sized(smallModule, 1) }, percentForManyLarge},
		{func() { h.Sized(1, 0) }, percentForManyLarge},
		{h.ForServer, percentForServer},
		{func() { h.Sized(64<<20, 0) }, percentForServer},
		{h.ForMany, percentForServer},
	} {
		step.do()
		got := debug.SetGCPercent(100)
		debug.SetGCPercent(got)
		if got != step.want {
			t.Fatalf("%d percent, want %d", got, step.want)
		}
	}
	var none *Heap
	none.Sized(64<<20, 0)
	none.ForMany()
	none.ForRewrite(64<<20, 0)
	none.ForServer()
	if got := debug.SetGCPercent(100); got != percentForServer {
		t.Errorf("nobody sets %d percent", got)
	}
}

// However small the input, the growth of the heap is limited; a heap that is small for its input
// may have as much garbage as the input allows.
func TestPercentWithin(t *testing.T) {
	for _, c := range []struct {
		base        int
		live, input int64
		want        int
	}{
		{percentForTiny, 4 << 20, 1 << 20, percentForTiny},
		{percentForTiny, 48 << 20, 1 << 20, 70},
		{percentForTiny, 100 << 20, 1 << 20, leastPercent},
		{percentForTiny, 100 << 20, 8 << 20, 108},
		{percentForTiny, 1 << 30, 8 << 20, leastPercent},
		{percentForLarge, 1 << 20, 64 << 20, percentForLarge},
		{percentForSmall, 0, 0, percentForSmall},
	} {
		if got := percentWithin(c.base, c.live, c.input); got != c.want {
			t.Errorf("%d percent, %d bytes in use of %d: %d percent, want %d", c.base, c.live, c.input, got, c.want)
		}
	}
}

// Each collection is noticed, not only the first.
func TestAfterEachCollection(t *testing.T) {
	called := make(chan [2]int64, 100)
	afterEachCollection(func(live, allocated int64) { called <- [2]int64{live, allocated} })
	for range 3 {
		runtime.GC()
		if now := <-called; now[0] <= 0 || now[1] <= now[0] {
			t.Errorf("%d bytes are in use of %d", now[0], now[1])
		}
	}
}

// If most of what is made is garbage, and much is in use, collections are rarer.
func TestChurn(t *testing.T) {
	const mb = 1 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	h := &Heap{base: percentForTiny, native: mb}
	for _, step := range []struct {
		live, allocated int64
		want            int
	}{
		{100 * mb, 110 * mb, leastPercent}, // all is kept
		{110 * mb, 160 * mb, churnPercent},
		{140 * mb, 200 * mb, leastPercent},
		{5 * mb, 300 * mb, percentForTiny}, // little is in use
	} {
		if h.collected(step.live, step.allocated); h.last != step.want {
			t.Errorf("%d percent at %+v", h.last, step)
		}
	}
	h = &Heap{base: percentForLarge, native: 64 * mb}
	if h.collected(200*mb, 2000*mb); h.last != percentForLarge {
		t.Errorf("%d percent in a large module", h.last)
	}
}
