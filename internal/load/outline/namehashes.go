package outline

import "hash/maphash"

// nameHashes finds arguments that are set twice in a body. It compares hashes of their names; if
// two names have the same hash by chance, the scanner is not sure about the body.
type nameHashes struct {
	seed   maphash.Seed
	seeded bool
	body   int // index of the innermost body's first hash
	hashes []uint64
	many   map[uint64]bool // hashes of the innermost body, if it has more than few
}

// few is the number of hashes up to which a linear search is faster than a map.
const few = 24

func (n *nameHashes) reset() {
	n.body, n.hashes, n.many = 0, n.hashes[:0], nil
}

// open begins a body. Pass its result to close.
func (n *nameHashes) open() (outer nameHashes) {
	outer = *n
	n.body, n.many = len(n.hashes), nil
	return outer
}

// close ends the body that open began.
func (n *nameHashes) close(outer nameHashes) {
	hashes := n.hashes[:n.body]
	n.body, n.hashes, n.many = outer.body, hashes, outer.many
}

// add adds the name of an argument, and reports whether it is surely the first of that name.
func (n *nameHashes) add(name []byte) bool {
	if !n.seeded {
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	h := maphash.Bytes(n.seed, name)
	if n.many != nil {
		isNew := !n.many[h]
		n.many[h] = true
		return isNew
	}
	known := n.hashes[n.body:]
	for _, k := range known {
		if k == h {
			return false
		}
	}
	n.hashes = append(n.hashes, h)
	if len(known) == few {
		n.many = make(map[uint64]bool, 4*few)
		for _, k := range n.hashes[n.body:] {
			n.many[k] = true
		}
	}
	return true
}
