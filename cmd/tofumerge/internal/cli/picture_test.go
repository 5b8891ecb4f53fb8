package cli

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A theme is the colours of a terminal, by the numbers of escape sequences.
type theme struct {
	paper, border, ink, faint string
	inks                      map[string]string
}

// themes are the themes of the pictures in the README, by the name in their files.
var themes = map[string]theme{
	"light": {"#ffffff", "#d0d7de", "#1f2328", "#59636e", map[string]string{
		"30": "#1f2328", "31": "#cf222e", "32": "#116329", "33": "#7d4e00", "34": "#0550ae", "35": "#8250df", "36": "#1b7c83", "37": "#59636e", "90": "#59636e", "94": "#0969da",
	}},
	"dark": {"#0d1117", "#30363d", "#e6edf3", "#9198a1", map[string]string{
		"30": "#9198a1", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea", "37": "#e6edf3", "90": "#9198a1", "94": "#79c0ff",
	}},
}

// TestPicture fails if a picture in the README differs from the program's output on a terminal;
// with -update they are drawn again.
func TestPicture(t *testing.T) {
	var out bytes.Buffer
	status := Run([]string{"--annotate", "--only-changed", "--color", "always", "../../../../testdata/modules/web"}, Streams{Out: &out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }})
	if status != ExitOK {
		t.Fatalf("status %d", status)
	}
	for name, th := range themes {
		file := pagesDir + "annotate-" + name + ".svg"
		want := th.drawn("\x1b[2m$\x1b[0m tofumerge --annotate --only-changed\n" + out.String())
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale; go test ./cmd/tofumerge/internal/cli -run TestPicture -update", file)
		}
	}
}

var escapeSequence = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// drawn is coloured text as a picture of a terminal.
func (th theme) drawn(text string) string {
	const width, height, margin = 8.43, 19, 16
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(escapeSequence.ReplaceAllString(line, "")))
	}
	var out strings.Builder
	w, h := int(float64(columns)*width)+2*margin, len(lines)*height+2*margin
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w, h, w, h)
	fmt.Fprintf(&out, "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\" stroke=\"%s\"/>\n", w-1, h-1, th.paper, th.border)
	fmt.Fprintf(&out, "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" fill=\"%s\">\n", th.ink)
	p := pen{theme: th}
	for i, line := range lines {
		fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", margin, margin+i*height+14, p.line(line))
	}
	out.WriteString("</g>\n</svg>\n")
	return out.String()
}

// A pen writes text in the style of the preceding escape sequences.
type pen struct {
	theme
	ink            string
	isBold, isPale bool
}

// line turns the escape sequences of a line into spans.
func (p *pen) line(line string) string {
	var out strings.Builder
	at := 0
	for _, m := range escapeSequence.FindAllStringSubmatchIndex(line, -1) {
		out.WriteString(p.span(line[at:m[0]]))
		p.obey(line[m[2]:m[3]])
		at = m[1]
	}
	out.WriteString(p.span(line[at:]))
	return out.String()
}

// obey changes the pen by the numbers of a sequence. Numbers without a meaning for pictures are
// ignored.
func (p *pen) obey(numbers string) {
	for _, n := range strings.Split(numbers, ";") {
		switch n {
		case "", "0":
			*p = pen{theme: p.theme}
		case "1":
			p.isBold = true
		case "2":
			p.isPale = true
		case "22":
			p.isBold, p.isPale = false, false
		case "39":
			p.ink = ""
		default:
			if ink, ok := p.inks[n]; ok {
				p.ink = ink
			}
		}
	}
}

// span is a stretch of text in one colour.
func (p *pen) span(text string) string {
	ink, style := p.ink, ""
	if p.isPale && ink == "" {
		ink = p.faint
	}
	if ink != "" {
		style += fmt.Sprintf(" fill=%q", ink)
	}
	if p.isBold {
		style += ` font-weight="bold"`
	}
	if text = html.EscapeString(text); text == "" || style == "" {
		return text
	}
	return "<tspan" + style + ">" + text + "</tspan>"
}
