package relocate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestBytes checks that a stream without locations keeps every byte, whatever it looks like.
func TestBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{
			"{", "}", "[", "]", "\"", ":", ",", "1", "null", " ", "\n", "\r\n", "<checkstyle>", "<file name=\"main.tf\">", "</file>", "<testsuite>",
			"<testcase ", "<error line=\"3\"/>", "main.tf", "other.tf:3", "\xff", "\x1b[1m", "filename", "line", "\\u00e9", "<?xml ?>", "\xef\xbb\xbf",
		})
		text := strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "parts"), "")
		form := rapid.SampledFrom([]Form{Auto, Text, JSON}).Draw(t, "form")
		step := rapid.IntRange(1, 50).Draw(t, "step")
		m := &Mapper{File: func(string) *File { return nil }}
		var out bytes.Buffer
		w := m.NewWriter(&out, form)
		for at := 0; at < len(text); at += step {
			if _, err := w.Write([]byte(text[at:min(len(text), at+step)])); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil || out.String() != text {
			t.Fatalf("%q becomes %q (%v)", text, out.String(), err)
		}
	})
}

// TestAnyJSON checks that any document, however it is formatted, stays valid, with the same values
// except for names and numbers.
func TestAnyJSON(t *testing.T) {
	keys := rapid.SampledFrom([]string{
		"artifactLocation", "uri", "region", "startLine", "endLine", "startColumn", "charOffset", "index", "filename", "start", "end", "line",
		"column", "byte", "range", "snippet", "start_line", "path", "lines", "begin", "locations", "physicalLocation", "relatedLocations",
		"message", "text", "Target", "Misconfigurations", "Secrets", "CauseMetadata", "StartLine", "EndLine", "Code", "Lines", "Number",
		"MisconfSummary", "Failures", "Successes", "file_path", "file_line_range", "code_block", "other",
	})
	var value func(t *rapid.T, depth int) string
	value = func(t *rapid.T, depth int) string {
		kind := rapid.IntRange(0, 9).Draw(t, "kind")
		space := rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "space")
		var parts []string
		switch {
		case kind == 9 && depth <= 5:
			form := rapid.SampledFrom([]string{
				`{"physicalLocation" :{"artifactLocation":{ "index" : 1 ,"uri":§},"region":{"charOffset":1,"startLine":1, "byteLength":2 }},"message":{"text":§}}`,
				`{"physicalLocation":{"region":{"startLine":¶,"endLine":¶,"charLength" : 1 ,"charOffset":2},"artifactLocation":{"uri":§,"index":0}}}`,
				`{"locations":[{"physicalLocation":{"region":{"startLine":¶,"endLine":¶},"artifactLocation":{"uri":§}}}],"relatedLocations":[¤]}`,
				`{"filename":§,"start":{"line":¶,"column":¶,"byte":1},"end":{"line":¶,"column":¶,"byte":2},"line":¶,"start_line":¤}`,
				`{"range":{"filename":§,"start":{"line":¶}},"snippet":{"start_line":¶}}`,
				`{"CauseMetadata":{"StartLine":¶,"EndLine":¶,"Code":{"Lines":[{"Number":¶},¤]},"Occurrences":[{"Filename":§,"Location":{"StartLine":¶}}]}}`,
				`{"Target":§,"MisconfSummary":{"Successes":3,"Failures":2},"Misconfigurations":[¤,{"CauseMetadata":{"StartLine":¶}},¤],"Secrets":[{"StartLine":¶}]}`,
				`{"file_path":§,"file_line_range":[¶,¶],"code_block":[[¶,"x"],¤]}`,
			}).Draw(t, "form")
			var out strings.Builder
			for _, c := range form {
				switch c {
				case '§':
					out.WriteString(rapid.SampledFrom([]string{`"main.tf"`, `"my dir/main.tf"`, `"/main.tf"`, `"other.tf"`, "1"}).Draw(t, "name"))
				case '¶':
					out.WriteString(rapid.SampledFrom([]string{"0", "1", "3", "5", "6", "99"}).Draw(t, "line"))
				case '¤':
					out.WriteString(value(t, depth+1))
				default:
					out.WriteRune(c)
				}
			}
			return out.String()
		case kind < 3 || depth > 5:
			return rapid.SampledFrom([]string{"0", "1", "3", "5", "99", "-1", "1.5", "null", "true", `"x"`}).Draw(t, "scalar")
		case kind < 5:
			return rapid.SampledFrom([]string{`"main.tf"`, `"my dir/main.tf"`, `"/tmp/copy/home/main.tf"`, `"other.tf"`}).Draw(t, "name")
		case kind < 7:
			for range rapid.IntRange(0, 4).Draw(t, "size") {
				parts = append(parts, value(t, depth+1))
			}
			return "[" + space + strings.Join(parts, space+","+space) + space + "]"
		}
		for range rapid.IntRange(0, 6).Draw(t, "size") {
			parts = append(parts, `"`+keys.Draw(t, "key")+`"`+space+":"+space+value(t, depth+1))
		}
		return "{" + space + strings.Join(parts, space+","+space) + space + "}"
	}
	rapid.Check(t, func(t *rapid.T) {
		text := `{"locations": [` + value(t, 0) + `], "Target": "main.tf", "Misconfigurations": [` + value(t, 0) + `], "a": ` + value(t, 0) + `}`
		if out, err := newMapper().Document([]byte(text)); err != nil || !json.Valid(out) {
			t.Fatalf("%s becomes %s", text, out)
		}
	})
}
