package webpage

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/section"
)

// A name and a value with all that a page, a browser or a reader might act on.
const (
	hostileName  = "x\u202e\x1b[31m</script><img src=x onerror=alert(1)>&quot;'\"{{.}}"
	hostileValue = "</pre><script>alert(1)</script><style>*{display:none}</style>\u202e\u2066javascript:alert(1)<!--]]>\u00a0"
)

func hostileModule(t testing.TB, number int) *Section {
	t.Helper()
	c := &loadtest.Case{Engine: engine.Default(), Files: map[string][]byte{
		"main.tf": []byte("resource \"a\" \"b\" {\n  x = \"" + hostileValue + "\"\n  tags = {\n    \"</del>" + hostileValue + "\" = 1\n    k = 1\n  }\n  d {\n    y = \"" + hostileValue + "\"\n  }\n}\n# \x1b[2J " + hostileValue + " \xff\xfe\n"),
		"</script><img src=x onerror=alert(1)>\u202e_override.tf": []byte("resource \"a\" \"b\" {\n  x = \"<b>" + hostileValue + "\"\n  tags = { k = 2 }\n  d {\n  }\n  lifecycle {\n    enabled = \"" + hostileValue + "\"\n  }\n}\n"),
	}}
	m := moduleOf(t, c, load.Options{})
	m.Number, m.Dir = number, hostileName
	s, err := Show(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const enoughRoom = 10_000_000

func moduleOf(t testing.TB, c *loadtest.Case, opts load.Options) section.Module {
	t.Helper()
	src, diags := c.Load(t, opts)
	m, more := merge.Files(src, merge.Options{})
	found := check.Findings(m, append(diags, more...), func(id string) bool { return !check.FindRule(id).Off })
	check.Sort(m, found)
	return section.Module{Number: 1, Dir: "dir", Room: enoughRoom, Merged: m, Diags: append(diags, more...), Findings: found}
}

func pageOf(t testing.TB, sections ...*Section) string {
	t.Helper()
	var out bytes.Buffer
	if err := (Page{Sections: sections, Version: "1.2.3"}).Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	tag       = regexp.MustCompile(`<[a-zA-Z!/][^>]*>`)
	attribute = regexp.MustCompile(`\s([a-zA-Z-]+)(?:="([^"]*)")?`)
)

// No text of a module becomes markup: the tags of a page are the template's.
func TestHostileText(t *testing.T) {
	page := pageOf(t, hostileModule(t, 1))
	body := page[strings.Index(page, "<body>"):strings.LastIndex(page, "<script>")]
	names := map[string]bool{}
	for _, found := range tag.FindAllString(body, -1) {
		name := strings.Trim(strings.Fields(strings.Trim(found, "<>/"))[0], "/")
		names[name] = true
		for _, a := range attribute.FindAllStringSubmatch(found, -1) {
			switch a[1] {
			case "href":
				if !strings.HasPrefix(a[2], "#") && !strings.HasPrefix(a[2], "https://github.com/tofumerge/tofumerge/blob/main/docs/rules/") {
					t.Errorf("a link to %s", a[2])
				}
			case "class", "id", "hidden", "for", "type", "autocomplete", "spellcheck", "placeholder", "scope", "tabindex", "role", "rel", "open",
				"aria-describedby", "aria-label", "aria-labelledby", "data-of":
			default:
				t.Errorf("%s has the attribute %s", found, a[1])
			}
		}
	}
	for _, name := range []string{"img", "script", "style", "iframe", "object", "base", "form", "link"} {
		if names[name] {
			t.Errorf("the page has <%s>", name)
		}
	}
	if !utf8.ValidString(page) {
		t.Error("the page is not UTF-8")
	}
	for i, r := range page {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			t.Fatalf("%q at %d: %q", r, i, page[max(0, i-40):i])
		}
	}
	text := html.UnescapeString(tag.ReplaceAllString(body, ""))
	for _, want := range []string{`\u202e`, `\x1b[2J`, "\ufffd", "javascript:alert(1)", "{{.}}", "enabled = "} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The policy allows the style and the script of the page, and nothing else.
func TestPolicy(t *testing.T) {
	page := pageOf(t, hostileModule(t, 1))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	want := "default-src 'none'; style-src 'sha256-" + sumOf(t, page, "style") + "'; script-src 'sha256-" + sumOf(t, page, "script") + "'; base-uri 'none'; form-action 'none'"
	if got := html.UnescapeString(policy[1]); got != want {
		t.Errorf("the policy is\n%s\nwant\n%s", got, want)
	}
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(", "XMLHttpRequest", "import("} {
		if strings.Contains(script, word) {
			t.Errorf("the script uses %s", word)
		}
	}
	for _, word := range []string{"url(", "@import", "http"} {
		if strings.Contains(style, word) {
			t.Errorf("the style uses %s", word)
		}
	}
}

// sumOf is the hash of the contents of the only element of a name.
func sumOf(t *testing.T, page, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<`+name+`>(.*?)</`+name+`>`).FindAllStringSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("%d elements of %s, want one", len(found), name)
	}
	sum := sha256.Sum256([]byte(found[0][1]))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// A page of 300 modules stays below 5 MB, whatever they contain, and mentions the omitted parts.
func TestRoom(t *testing.T) {
	const n = 300
	for _, c := range []struct {
		about string
		files map[string][]byte
		left  []string
	}{
		{"blocks", manyBlocks(100), []string{"more touched blocks not shown", "more findings not listed. To list all, run <code>tofumerge check dir</code>"}},
		{"arguments", manyArguments(3000), []string{"more lines</p>"}},
		{"idle lines", manyIdle(400), []string{"more lines</p>"}},
		{"override files", manyFiles(500), []string{" more</li>"}},
		{"primary files", manyFiles(-500), []string{"more unchanged lines not shown"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			m := moduleOf(t, &loadtest.Case{Engine: engine.Default(), Files: c.files}, load.Options{})
			m.Room = section.Room(n)
			s, err := Show(m)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.HTML) > section.Room(n)*6/5 {
				t.Errorf("the section has %d bytes, and room for %d", len(s.HTML), section.Room(n))
			}
			for _, want := range append(c.left, "<code>tofumerge --annotate dir</code>") {
				if !strings.Contains(string(s.HTML), want) {
					t.Errorf("the section lacks %q", want)
				}
			}
			page := pageOf(t, slices.Repeat([]*Section{s}, n)...)
			if len(page) > 5_000_000 || len(page) < 1_000_000 {
				t.Errorf("the page has %d bytes", len(page))
			}
			m.Room = section.Room(1)
			alone, err := Show(m)
			if err != nil || len(alone.HTML) > 5_000_000 || strings.Contains(string(alone.HTML), "not shown") {
				t.Errorf("alone the module takes up %d bytes (%v)", len(alone.HTML), err)
			}
		})
	}
}

func manyBlocks(n int) map[string][]byte {
	var main, override strings.Builder
	for i := range n {
		fmt.Fprintf(&main, "resource \"a\" \"r%d\" {\n  x = \"\\\"<&>'\"\n  z = { a = 1, b = 2 }\n%s}\n\n", i, strings.Repeat("  # a line of text that nobody touches\n", 40))
		fmt.Fprintf(&override, "resource \"a\" \"r%d\" {\n  x = \"%s\"\n  y = { a = \"'\", b = [1, 2, 3] }\n  z = {}\n}\n\n", i, strings.Repeat("<", 300))
	}
	fmt.Fprintf(&override, "resource \"a\" \"r0\" {\n  long = \"%s\"\n}\n", strings.Repeat("'", 300_000))
	return map[string][]byte{"main.tf": []byte(main.String()), "override.tf": []byte(override.String())}
}

func manyArguments(n int) map[string][]byte {
	block := func(value string) []byte {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "  a%d = %s\n", i, value)
		}
		return []byte("resource \"a\" \"b\" {\n" + out.String() + "}\n")
	}
	return map[string][]byte{"main.tf": block("1"), "override.tf": block("2")}
}

func manyIdle(n int) map[string][]byte {
	files := map[string][]byte{"main.tf": []byte("resource \"a\" \"b\" {\n  lifecycle {\n  }\n}\n")}
	for i := range n {
		files[fmt.Sprintf("f%d_override.tf", i)] = []byte("resource \"a\" \"b\" {\n  lifecycle {\n    enabled = false\n  }\n}\n")
	}
	return files
}

// manyFiles are many override files, or many primary files if n is negative.
func manyFiles(n int) map[string][]byte {
	files := map[string][]byte{"main.tf": []byte("variable \"a\" {\n  default = 1\n}\n"), "override.tf": []byte("variable \"a\" {\n  default = 2\n}\n")}
	for i := range max(n, -n) {
		if n > 0 {
			files[fmt.Sprintf("f%d_override.tf", i)] = fmt.Appendf(nil, "variable \"a\" {\n  default = %d\n}\n", i)
		} else {
			files[fmt.Sprintf("zz%d.tf", i)] = fmt.Appendf(nil, "variable \"b%d\" {\n  default = 1\n}\n", i)
		}
	}
	return files
}

// Text has the contrast that WCAG requires (AA, 4.5 to 1) on every background.
func TestContrast(t *testing.T) {
	colors := map[string][2][3]float64{}
	for _, m := range regexp.MustCompile(`(?m)(?:\.(f\d) \{ )?--([a-z]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(style, -1) {
		colors[m[1]+m[2]] = [2][3]float64{rgb(m[3]), rgb(m[4])}
	}
	tints := [2]float64{0.08, 0.15}
	for i := range 2 {
		paper, raised := colors["paper"][i], colors["raised"][i]
		for _, name := range []string{"ink", "faint", "link", "error", "warning", "notice", "added"} {
			for _, back := range [][3]float64{paper, raised} {
				atLeast(t, name, colors[name][i], back)
			}
		}
		for f := range section.Colours {
			own := colors[fmt.Sprintf("f%down", f)][i]
			tinted := mix(own, paper, tints[i])
			atLeast(t, fmt.Sprintf("f%d", f), own, tinted)
			atLeast(t, fmt.Sprintf("ink on f%d", f), colors["ink"][i], tinted)
			atLeast(t, fmt.Sprintf("faint on f%d", f), colors["faint"][i], tinted) // in print
		}
	}
}

func atLeast(t *testing.T, name string, text, back [3]float64) {
	t.Helper()
	a, b := luminance(text), luminance(back)
	if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !(ratio >= 4.5) {
		t.Errorf("%s: %v on %v has a contrast of %.2f", name, text, back, ratio)
	}
}

func rgb(hex string) (c [3]float64) {
	for i := range c {
		n, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		c[i] = float64(n) / 255
	}
	return c
}

func mix(a, b [3]float64, share float64) (c [3]float64) {
	for i := range c {
		c[i] = a[i]*share + b[i]*(1-share)
	}
	return c
}

func luminance(c [3]float64) float64 {
	for i, v := range c {
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}
