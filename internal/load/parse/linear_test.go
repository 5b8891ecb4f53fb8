package parse

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// long lists texts for which the parser takes quadratic time: a prefix, a repeated part, and a
// suffix.
var long = map[string][3]string{
	"lines":                  {"a = <<A\n", "some text\n", "A\n"},
	"blank lines":            {"a = <<A\n", "\n", "A\n"},
	"blank lines, flush":     {"a = <<-A\n", "\n", "  A\n"},
	"indented lines":         {"a = <<-A\n", "    some text\n", "  A\n"},
	"lines with CRLF":        {"a = <<-A\r\n", "  some text\r\n", "A\r\n"},
	"letters":                {"é = <<A\n", "ü 日本\n", "A\n"},
	"a heredoc without end":  {"a = <<A\n", "b \"c\" {\n  d = \"${var.e}-f\"\n}\n", ""},
	"sequences":              {"a = <<A\n", "x ${y}\n", "A\n"},
	"sequences with braces":  {"a = <<-A\n", "  x ${f({y = 1})} z\n", "A\n"},
	"sequences that strip":   {"a = <<-A\n", "  foo\n${~ x} $ a\n", "A\n"},
	"lines that are taken":   {"a = <<-A\n", "  foo\n  ${x ~}\n", "A\n"},
	"loops":                  {"a = <<-A\n", "  %{ for x in y ~}\n  z ${x}\n  %{ endfor ~}\n", "A\n"},
	"one condition":          {"a = <<A\n%{ if x }\n", "y ${z}\n", "%{ endif }\nA\n"},
	"sequences with errors":  {"a = <<A\n", "a ${!}\n", "A\n"},
	"dollar signs":           {"a = \"", "$", "\"\n"},
	"signs and escapes":      {"a = \"", "$a %b\\n", "\"\n"},
	"signs in a label":       {"a \"", "$a b%", "\" {\n}\n"},
	"signs in a line":        {"a = <<A\n", "$a b%", "\nA\n"},
	"escapes with errors":    {"a = \"", "\\q$", "\"\n"},
	"comments without end":   {"a = ", "/* ", "\n"},
	"signs and sequences":    {"a = \"", "a\\n$${x}${a.b}%%{y}", "\"\n"},
	"sequences in a string":  {"a = \"", "${a.b}", "\"\n"},
	"sequences in a label":   {"a \"", "$${x}${a.b}", "\" {\n}\n"},
	"signs, one line":        {"a = <<-A\n  x", "$${x}${a.b}", "\n    y\n  A\n"},
	"lines inside a line":    {"a = <<-A\n  x", "$b%{ if c }\n   ${d}\n%{ endif }", "\n    y\n  A\n"},
	"lines in sequences":     {"a = \"", "$b${c[\n0]}", "\"\n"},
	"sequences that strip 2": {"a = \"", "$b ${~ c ~} ", "\"\n"},
	"heredocs in a sequence": {"a = " + strings.Repeat("<<A\nx\n${", 20) + "<<A\n", "y\n", "A\n" + strings.Repeat("}\nA\n", 20)},
}

func longText(parts [3]string, size int) []byte {
	return []byte(parts[0] + strings.Repeat(parts[1], size/len(parts[1])) + parts[2])
}

// TestLinear fails if the parser gets more pieces of a longer text, or if more memory is allocated
// than in proportion: joined pieces are copied.
func TestLinear(t *testing.T) {
	const size = 10 << 10
	for name, parts := range long {
		t.Run(name, func(t *testing.T) {
			var seen, allocated [2]int
			for i := range 2 {
				src := longText(parts, size<<i)
				if s := shorten(src, "", hcl.InitialPos, isNative); s != nil {
					seen[i] = bytes.Count(s.out, []byte("\n")) + bytes.Count(s.out, []byte("$")) + bytes.Count(s.out, []byte("%"))
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				Config(src, "", hcl.InitialPos)
				runtime.ReadMemStats(&after)
				allocated[i] = int(after.TotalAlloc - before.TotalAlloc)
			}
			if name != "comments without end" && (seen[0] == 0 || seen[1] > max(seen[0]*3/2, 2*limit.atOnce) || seen[1] > 3000) {
				t.Errorf("the parser joins %d pieces, and %d of twice the text", seen[0], seen[1])
			}
			if allocated[1] > allocated[0]*5/2 {
				t.Errorf("%d bytes are allocated for %d, and %d for twice as many", allocated[0], size, allocated[1])
			}
		})
	}
}

// TestLong compares with the parser the texts that it can still parse, within the program's limits.
func TestLong(t *testing.T) {
	for name, parts := range long {
		if name == "comments without end" {
			continue // 8 KB take a fifth of a second
		}
		t.Run(name, func(t *testing.T) {
			src := longText(parts, 8<<10)
			if name == "sequences with errors" || name == "escapes with errors" {
				src = longText(parts, 2<<10) // more errors than are found
			}
			got, gotDiags := Config(src, "a.tf", hcl.InitialPos)
			want, wantDiags := hclsyntax.ParseConfig(src, "a.tf", hcl.InitialPos)
			if dump(got.Body) != dump(want.Body) || dump(gotDiags) != dump(wantDiags) {
				t.Error("not what the parser returns")
			}
		})
	}
}

// TestManyErrors fails if a template with very many errors is taken for one without.
func TestManyErrors(t *testing.T) {
	for _, name := range []string{"sequences with errors", "escapes with errors"} {
		_, diags := Config(longText(long[name], 64<<10), "", hcl.InitialPos)
		if len(diags) == 0 || diags[0].Subject.Start.Line > 2 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func BenchmarkConfig(b *testing.B) {
	for name, parts := range long {
		for _, size := range []int{1 << 20, 2 << 20, 4 << 20} {
			src := longText(parts, size)
			b.Run(name+"/"+strings.Repeat("2*", size>>21)+"MB", func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for range b.N {
					Config(src, "", hcl.InitialPos)
				}
			})
		}
	}
}
