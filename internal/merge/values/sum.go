package values

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

// A Sum represents the meaning of a value. Values with one sum mean the same, apart from layout,
// comments, the spelling of constants and the order of keys. Sums are made once, from the inside
// out, so comparing values is free.
type Sum [16]byte

func sumOf(kind byte, text []byte) Sum {
	h := sha256.New()
	h.Write([]byte{kind})
	h.Write(text)
	var s Sum
	copy(s[:], h.Sum(nil))
	return s
}

// sumOfExpr is the sum of a value that is compared as a whole.
func sumOfExpr(e hcl.Expression, text []byte) Sum {
	if !parts.IsPlain(e) {
		return SumOfText(text)
	}
	v, diags := limits.Evaluate(e)
	switch {
	case diags.HasErrors() || !v.IsKnown():
		return SumOfText(text)
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
	return SumOfText(text)
}

// SumOfText is the sum of the tokens of a text.
func SumOfText(text []byte) Sum {
	tokens := equal.SumOf(text)
	return sumOf('t', tokens[:])
}

func sumOfMembers(members []Member) Sum { return sumOf('o', memberSums(members)) }

func sumOfBlock(label string, members []Member) Sum {
	of := sumOf('l', []byte(label))
	return sumOf('k', append(of[:], memberSums(members)...))
}

// memberSums are the sums of members in the order of their keys.
func memberSums(members []Member) []byte {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b Member) int {
		if a.IsBlocks != b.IsBlocks {
			if a.IsBlocks {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	var all []byte
	for _, m := range sorted {
		name := sumOf('m', []byte(m.Name))
		all = append(append(all, name[:]...), m.Node.Sum[:]...)
	}
	return all
}

func sumOfElements(elements []*Node) Sum {
	var all []byte
	for _, n := range elements {
		all = append(all, n.Sum[:]...)
	}
	return sumOf('a', all)
}
