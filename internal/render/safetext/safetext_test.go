package safetext

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name       string
		of         func(string) string
		text, want string
	}{
		{"Printable", Printable, "a\x1b[31m\tb\u202e\nü", `a\x1b[31m b\u202e` + "\nü"},
		{"Printable", Printable, "plain ~\nlines", "plain ~\nlines"},
		{"Printable", Printable, "\x7f", `\x7f`},
		{"Printable", Printable, "bad \xff byte", "bad \ufffd byte"},
		{"OneLine", OneLine, "a\r\nb\nc\rd\x00", `a b c d\x00`},
		{"ExactName", ExactName, "a \t\r\nb\x1bc\u202e\ufffe", "a \t\r\nb" + `\x1bc` + "\u202e" + `\ufffe`},
		{"LoggedName", LoggedName, "a\tb\x1b\u202ec\u2066", "a\tb" + `\x1b\u202ec\u2066`},
		{"Inert", Inert, "::error file=x::y\n  ::debug::z\na ::b", `\x3a:error file=x::y` + "\n" + `  \x3a:debug::z` + "\na ::b"},
		{"Inert", Inert, "\x1b[31m::stop", "\x1b[31m" + `\x3a:stop`},
		{"Inert", Inert, "a ##[group]b ##vso[c] ##TeamCity[d", `a \x23#[group]b \x23#vso[c] \x23#TeamCity[d`},
		{"Inert", Inert, "a::b # c ## d", "a::b # c ## d"},
		{"WithReferences", WithReferences, "<a>\x1b\u202e\nü</a>", "<a>&#27;&#8238;\nü</a>"},
		{"WithReferences", WithReferences, "::error::x\n##[y]", "&#58;:error::x\n&#35;#[y]"},
	} {
		if got := c.of(c.text); got != c.want {
			t.Errorf("%s(%q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// To a reader of XML, references are the characters that they stand for.
func TestReferencesMeanTheSame(t *testing.T) {
	const text = "##vso[x]\u202e ü\u200b"
	var got struct {
		Text string `xml:",chardata"`
	}
	if err := xml.Unmarshal([]byte("<a>"+WithReferences(text)+"</a>"), &got); err != nil || got.Text != text {
		t.Errorf("read as %q (%v), want %q", got.Text, err, text)
	}
}

// To a reader of JSON, escapes are the characters that they stand for; a terminal and a pipeline
// see none of them.
func TestEscapedJSON(t *testing.T) {
	const text = "::error::\x1b[31m \u202e\U000e0001 ü ##[group]\u2028"
	var plain, out bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]string{"a": text}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Replace(plain.String(), `{"a":`, "{\n\"a\":\n", 1)
	buffer := bufio.NewWriter(&out)
	n, err := EscapedJSON(buffer).Write([]byte(lines))
	if n != len(lines) || err != nil || buffer.Flush() != nil {
		t.Fatalf("wrote %d of %d: %v", n, len(lines), err)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["a"] != text {
		t.Errorf("read as %q (%v), want %q", got["a"], err, text)
	}
	if printed := out.String(); Inert(printed) != printed || Printable(printed) != printed {
		t.Errorf("something is acted on in %q", printed)
	}
	if !strings.Contains(out.String(), `\udb40\udc01`) || !strings.Contains(out.String(), "ü") {
		t.Errorf("%q: want a pair of surrogates, and printable characters as they are", out.String())
	}
}

// A byte that isn't text becomes the replacement character.
func TestEscapedJSONInvalid(t *testing.T) {
	var out bytes.Buffer
	buffer := bufio.NewWriter(&out)
	fmt.Fprint(EscapedJSON(buffer), "\"a\xffb\"\n")
	buffer.Flush()
	if got, want := out.String(), "\"a\ufffdb\"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWriteText(t *testing.T) {
	var out strings.Builder
	if err := WriteText(&out, "::x\n"); err != nil || out.String() != `\x3a:x`+"\n" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}
