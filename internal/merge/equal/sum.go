package equal

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Sum stands for tokens: texts have one Sum if they differ in layout and comments only. The
// bytes of literals count, even where two of them are one value.
type Sum [sha256.Size]byte

// SumOf returns the sum of a native text.
func SumOf(src []byte) Sum {
	return summed(func(visit func(kind, []byte)) { eachToken(src, visit) })
}

// SumOfItem returns the sum of an item, as its file spells it. Items of the two syntaxes never have
// the same Sum.
func SumOfItem(it source.Item) Sum {
	if f := it.Source(); f.Syntax != source.JSON {
		return SumOf(f.Text(it.Extent()))
	}
	return summed(func(visit func(kind, []byte)) {
		visit(jsonName, []byte(it.Called()))
		text, remarks := jsonOf(it, visit)
		eachJSONToken(text, remarks, visit)
	})
}

func summed(each func(visit func(kind, []byte))) (s Sum) {
	h := tokenHasher{hash: sha256.New()}
	h.to = bufio.NewWriter(h.hash)
	each(h.token)
	_ = h.to.Flush() // a hash takes all
	h.hash.Sum(s[:0])
	return s
}

// A tokenHasher hashes tokens, each with its kind and length, so that other tokens are other bytes.
type tokenHasher struct {
	hash   hash.Hash
	to     *bufio.Writer
	length [1 + binary.MaxVarintLen64]byte
}

func (h *tokenHasher) token(k kind, text []byte) {
	h.length[0] = byte(k)
	n := binary.PutUvarint(h.length[1:], uint64(len(text)))
	_, _ = h.to.Write(h.length[:1+n])
	_, _ = h.to.Write(text)
}
