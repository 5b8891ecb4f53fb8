package main

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

const picture = "../../docs/annotate.svg"

// TestPicture fails when the picture in the README is not what the program
// prints on a terminal; with -update it is drawn again.
func TestPicture(t *testing.T) {
	var out bytes.Buffer
	status := run([]string{"--annotate", "--only-changed", "--color", "always", "../../testdata/modules/web"}, streams{out: &out, err: &bytes.Buffer{}, env: func(string) string { return "" }})
	if status != exitOK {
		t.Fatalf("status %d", status)
	}
	want := drawn(out.String())
	if *update {
		if err := os.WriteFile(picture, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/annotate.svg is stale; go test ./cmd/tofumerge -run TestPicture -update")
	}
}

// inks are the colours of a dark terminal, by the numbers of escape sequences.
var inks = map[string]string{"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "35": "#d2a8ff", "36": "#76e3ea"}

// drawn is coloured text as a picture of a terminal.
func drawn(text string) string {
	const width, height, margin = 8.43, 19, 14
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 0
	sequence := regexp.MustCompile(`\x1b\[([0-9]+)m`)
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(sequence.ReplaceAllString(line, "")))
	}
	var out strings.Builder
	w, h := int(float64(columns)*width)+2*margin, len(lines)*height+2*margin
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w, h, w, h)
	fmt.Fprintf(&out, "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#0d1117\"/>\n", w, h)
	out.WriteString("<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#e6edf3\" xml:space=\"preserve\">\n")
	for i, line := range lines {
		fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+i*height+14, inked(line, sequence))
	}
	out.WriteString("</g>\n</svg>\n")
	return out.String()
}

// inked turns the escape sequences of a line into coloured spans.
func inked(line string, sequence *regexp.Regexp) string {
	var out strings.Builder
	at, open := 0, false
	for _, m := range sequence.FindAllStringSubmatchIndex(line, -1) {
		out.WriteString(html.EscapeString(line[at:m[0]]))
		if open {
			out.WriteString("</tspan>")
		}
		ink := inks[line[m[2]:m[3]]]
		if open = ink != ""; open {
			fmt.Fprintf(&out, "<tspan fill=\"%s\">", ink)
		}
		at = m[1]
	}
	out.WriteString(html.EscapeString(line[at:]))
	if open {
		out.WriteString("</tspan>")
	}
	return out.String()
}
