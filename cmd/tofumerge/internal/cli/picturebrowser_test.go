//go:build browser

package cli

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// columnsOf lists, for each line of a picture, its indentation and the start of its first text.
const columnsOf = `Array.from(document.querySelectorAll("text")).map(t => {
  const text = t.textContent, first = text.search(/\S/);
  return first < 0 ? [0, 0] : [first, t.getStartPositionOfChar(first).x - t.getStartPositionOfChar(0).x];
})`

// A browser keeps the columns of the pictures: text that is indented further starts further to the
// right.
func TestPictureColumns(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium")
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(browser), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU))
	defer stop()
	if err := chromedp.Do(ctx); err != nil {
		t.Skipf("%s doesn't start: %v", browser, err)
	}
	for name := range themes {
		file, err := filepath.Abs(fmt.Sprintf("%sannotate-%s.svg", pagesDir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String())); err != nil {
			t.Fatal(err)
		}
		lines, err := chromedp.Run(ctx, chromedp.Evaluate[[][2]float64](columnsOf))
		if err != nil {
			t.Fatal(err)
		}
		indented := 0
		for i, line := range lines {
			if line[0] > 0 {
				indented++
			}
			if width := line[1] - 8.4*line[0]; width < -line[0] || width > line[0] {
				t.Errorf("%s, line %d: %v columns take %v pixels", name, i+1, line[0], line[1])
			}
		}
		if indented < 5 {
			t.Errorf("%s: only %d lines of %d are indented", name, indented, len(lines))
		}
	}
}
