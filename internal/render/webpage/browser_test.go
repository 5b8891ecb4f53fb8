//go:build browser

package webpage

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// A tab is a page in a real browser.
type tab struct {
	*testing.T
	ctx context.Context

	mutex      sync.Mutex
	complaints []string // of the browser
}

// TestBrowser looks at pages in Chromium; without one that starts it is skipped.
func TestBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium")
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(browser),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1200, 1000)))
	defer stop()
	limit := time.AfterFunc(time.Minute, stop)
	err := chromedp.Do(ctx) // which starts it
	if limit.Stop(); err != nil {
		t.Skipf("%s doesn't start: %v", browser, err)
	}
	for name, test := range map[string]func(*testing.T, context.Context){
		"marks": marksInBrowser, "filter": filterInBrowser, "themes": themesInBrowser, "hostile": hostileInBrowser, "phone": phoneInBrowser,
	} {
		t.Run(name, func(t *testing.T) { test(t, ctx) })
	}
}

// open opens a page of sections.
func open(t *testing.T, ctx context.Context, sections ...*Section) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(pageOf(t, sections...)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &tab{T: t}
	ctx, stop := chromedp.NewContext(ctx, chromedp.WithListener(b.listen))
	t.Cleanup(stop)
	b.ctx = ctx
	b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	return b
}

func (b *tab) listen(event any) {
	text := ""
	switch event := event.(type) {
	case *log.EventEntryAdded:
		text = event.Entry.Text
	case *runtime.EventConsoleAPICalled:
		text = "console." + string(event.Type)
	case *runtime.EventExceptionThrown:
		text = event.ExceptionDetails.Text
	default:
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.complaints = append(b.complaints, text)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(time.Minute))); err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
}

// get evaluates an expression.
func get[V any](b *tab, expression string) V {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[V](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// waitFor waits until an expression has a value, for as long as a slow machine may take.
func (b *tab) waitFor(expression, want string) {
	b.Helper()
	for range 1000 {
		if get[string](b, expression) == want {
			return
		}
		b.do(chromedp.Sleep(50 * time.Millisecond))
	}
	b.want(expression, want)
}

func (b *tab) want(expression, want string) {
	b.Helper()
	if got := get[string](b, "String("+expression+")"); got != want {
		b.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// run runs statements in the page.
func (b *tab) run(statements string) { get[bool](b, "(() => { "+statements+"; return true; })()") }

// media has the browser prefer a theme, or print.
func (b *tab) media(kind, theme string) {
	b.Helper()
	params := emulation.SetEmulatedMediaParams{Media: kind, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, params); err != nil {
		b.Fatal(err)
	}
}

// isQuiet fails the test if the browser complained.
func (b *tab) isQuiet() {
	b.Helper()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, text := range b.complaints {
		b.Errorf("the browser complains: %s", text)
	}
}

func sectionFrom(t testing.TB, number int, dir string, files map[string]string) *Section {
	t.Helper()
	c := &loadtest.Case{Engine: engine.Default(), Files: map[string][]byte{}}
	for name, text := range files {
		c.Files[name] = []byte(text)
	}
	m := moduleOf(t, c, load.Options{})
	m.Number, m.Dir = number, dir
	s, err := Show(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func webModule(t testing.TB, number int) *Section {
	return sectionFrom(t, number, "modules/web", map[string]string{
		"main.tf":         "resource \"aws_instance\" \"web\" {\n  instance_type = \"m5.large\"\n  tags = {\n    Cost = 1\n  }\n}\n\nresource \"aws_vpc\" \"v\" {\n  cidr = 1\n}\n",
		"dev_override.tf": "resource \"aws_instance\" \"web\" {\n  instance_type = \"t3.micro\"\n  tags = {\n  }\n}\n",
		"z_override.tf":   "resource \"aws_vpc\" \"v\" {\n  cidr = 2\n}\n",
	})
}

func dbModule(t testing.TB, number int) *Section {
	return sectionFrom(t, number, "modules/db", map[string]string{
		"main.tf":     "resource \"aws_db_instance\" \"db\" {\n  size = 1\n}\n",
		"override.tf": "resource \"aws_db_instance\" \"db\" {\n  size = 2\n}\n",
	})
}

// Marks stand beside their lines, and what a replaced value was below them, struck through.
func marksInBrowser(t *testing.T, ctx context.Context) {
	b := open(t, ctx, webModule(t, 1))
	b.want(`document.querySelector('.by').textContent`, `override: dev_override.tf:2 (was "m5.large" at main.tf:2) instance_type`)
	b.want(`(() => { const [text, by] = document.querySelector('.row').children; return by.getBoundingClientRect().left >= text.getBoundingClientRect().right; })()`, "true")
	b.want(`document.querySelector('.gone del').textContent + getComputedStyle(document.querySelector('.gone del')).textDecorationLine`, "tags = {line-through")
	b.want(`new Set([...document.querySelectorAll('.row')].map((r) => getComputedStyle(r).borderLeftColor)).size`, "2")
	b.isQuiet()
}

// The filter looks at modules, addresses, files, rules and severities.
func filterInBrowser(t *testing.T, ctx context.Context) {
	b := open(t, ctx, webModule(t, 1), dbModule(t, 2))
	const seen = `[...document.querySelectorAll('.module, .block, .findings > li, tr[data-of]')].filter((e) => e.checkVisibility()).map((e) => e.matches('.block') ? e.querySelector('.address').textContent : e.matches('tr') ? e.dataset.of : e.id || 'finding').join(' ')`
	all := get[string](b, seen)
	for _, c := range []struct{ query, want string }{
		{"db", "m2 m2 aws_db_instance.db"},
		{"modules/web vpc", "m1 m1 aws_vpc.v"},
		{"instance_type", "m1 m1 aws_instance.web"},
		{"aws_instance.web.instance_type", "m1 m1 aws_instance.web"},
		{"file:z_override", "m1 m1 aws_instance.web aws_vpc.v"},
		{"MAP-REPLACE", "m1 m1 aws_instance.web"},
		{"severity:warning", "m1 m1 aws_instance.web"},
		{"severity:warning db", ""},
		{"module:vpc", ""},
		{"", all},
	} {
		b.run(fmt.Sprintf("const f = document.getElementById('filter'); f.value = %q; f.dispatchEvent(new Event('input'))", c.query))
		b.waitFor(seen, c.want)
		b.want(`document.getElementById('none').hidden`, fmt.Sprint(c.want != ""))
	}
	b.do(chromedp.KeyEvent("/"))
	b.want(`document.activeElement.id`, "filter")
	b.isQuiet()
}

// Colours follow the system until somebody chooses, and on paper nothing is folded.
func themesInBrowser(t *testing.T, ctx context.Context) {
	var list []*Section
	for i := range 11 { // one more than are unfolded when a page is opened
		list = append(list, dbModule(t, i+1))
	}
	b := open(t, ctx, list...)
	const paper, white = `getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)"
	b.media("", "light")
	b.want(paper, white)
	b.want(`document.getElementById('theme').textContent`, "Dark")
	b.media("", "dark")
	b.want(paper, "rgb(13, 17, 23)")
	b.do(chromedp.Click(chromedp.CSS("#theme")))
	b.want(paper, white)
	b.want(`document.querySelectorAll('.module[open]').length`, "0")
	b.do(chromedp.Click(chromedp.CSS("tbody a")))
	b.until(`document.querySelector('#m1').open`)
	b.media("print", "dark")
	b.run(`dispatchEvent(new Event('beforeprint'))`)
	b.want(`document.querySelectorAll('.module[open]').length`, fmt.Sprint(len(list)))
	b.want(`getComputedStyle(document.getElementById('controls')).display`, "none")
	b.run(`dispatchEvent(new Event('afterprint'))`)
	b.want(`document.querySelectorAll('.module[open]').length`, "1")
	b.isQuiet()
}

// On a phone each module is there once, folded, with what is wrong first, and nothing is wider than the screen.
func phoneInBrowser(t *testing.T, ctx context.Context) {
	b := open(t, ctx, webModule(t, 1), dbModule(t, 2))
	b.want(`document.querySelectorAll('.module[open]').length`, "2")
	params := emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 740, DeviceScaleFactor: 1, Mobile: true}
	if _, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, params); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Reload())
	b.want(`[...document.querySelectorAll('.module > summary, tr[data-of]')].filter((e) => e.checkVisibility()).map((e) => e.innerText.replace(/\s+/g, ' ').trim()).join('; ')`,
		"modules/web 1 warning 1 dropped 2 changed; modules/db 1 changed")
	b.want(`document.querySelectorAll('.module[open]').length`, "0")
	b.run(`for (const m of document.querySelectorAll('.module')) m.open = true`)
	b.want(`document.documentElement.scrollWidth`, "360")
	b.isQuiet()
}

// Names and values that look like markup do nothing, not even try.
func hostileInBrowser(t *testing.T, ctx context.Context) {
	b := open(t, ctx, hostileModule(t, 1), hostileModule(t, 2))
	b.want(`document.querySelectorAll('img, main script, main style').length`, "0")
	b.want(`document.querySelector('.module h2').textContent.includes('<img src=x onerror=alert(1)>')`, "true")
	b.want(`document.querySelectorAll('.module').length + ' ' + document.querySelectorAll('footer').length`, "2 1")
	b.want(`new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === document.querySelectorAll('[id]').length`, "true")
	b.want(`[...document.querySelectorAll('[aria-describedby]')].every((e) => document.getElementById(e.getAttribute('aria-describedby')))`, "true")
	b.isQuiet()
	// The policy holds: the browser refuses everything that isn't in the page.
	b.run(`const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s)`)
	b.want(`String(window.ran)`, "undefined")
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if len(b.complaints) != 1 || !strings.Contains(b.complaints[0], "Content Security Policy") {
		t.Errorf("the browser complains: %q, want a violation of the policy", b.complaints)
	}
}
