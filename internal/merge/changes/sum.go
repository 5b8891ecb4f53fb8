package changes

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/zclconf/go-cty/cty"
)

// A sum represents the meaning of a value. Values with one sum mean the same, apart from layout,
// comments, the spelling of constants and the order of keys. Sums are made once, from the inside
// out, so comparing values is free.
type sum [16]byte

func sumOf(kind byte, text []byte) sum {
	h := sha256.New()
	h.Write([]byte{kind})
	h.Write(text)
	var s sum
	copy(s[:], h.Sum(nil))
	return s
}

// sumOfExpr is the sum of a value that is compared as a whole.
func sumOfExpr(e hcl.Expression, text []byte) sum {
	if !parts.IsPlain(e) {
		return sumOfText(text)
	}
	v, diags := limits.Evaluate(e)
	switch {
	case diags.HasErrors() || !v.IsKnown():
		return sumOfText(text)
	case v.IsNull():
		return sumOf('n', nil)
	case v.Type() == cty.String:
		return sumOf('s', []byte(v.AsString()))
	case v.Type() == cty.Number:
		return sumOf('i', []byte(v.AsBigFloat().Text('p', 0)))
	case v.Type() == cty.Bool && v.True():
		return sumOf('b', []byte{1})
	case v.Type() == cty.Bool:
		return sumOf('b', []byte{0})
	}
	return sumOfText(text)
}

// sumOfText is the sum of the tokens of a text.
func sumOfText(text []byte) sum {
	tokens := equal.SumOf(text)
	return sumOf('t', tokens[:])
}

func sumOfMembers(members []member) sum { return sumOf('o', memberSums(members)) }

func sumOfBlock(label string, members []member) sum {
	of := sumOf('l', []byte(label))
	return sumOf('k', append(of[:], memberSums(members)...))
}

// memberSums are the sums of members in the order of their keys.
func memberSums(members []member) []byte {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b member) int {
		if a.isBlocks != b.isBlocks {
			if a.isBlocks {
				return 1
			}
			return -1
		}
		return strings.Compare(a.name, b.name)
	})
	var all []byte
	for _, m := range sorted {
		name := sumOf('m', []byte(m.name))
		all = append(append(all, name[:]...), m.node.sum[:]...)
	}
	return all
}

func sumOfElements(elements []*node) sum {
	var all []byte
	for _, n := range elements {
		all = append(all, n.sum[:]...)
	}
	return sumOf('a', all)
}
