package outline

import "hash/maphash"

// A seen finds arguments that are set twice in a body. It holds hashes, of which two may
// be equal by chance: then it is not sure, which is not wrong.
type seen struct {
	seed   maphash.Seed
	seeded bool
	body   int // first hash of the innermost body
	hashes []uint64
	many   map[uint64]bool // those of the innermost body, where there are many
}

// few is up to how many arguments of a body are compared one by one.
const few = 24

func (n *seen) reset() {
	n.body, n.hashes, n.many = 0, n.hashes[:0], nil
}

// open begins a body, and returns what close takes.
func (n *seen) open() (outer seen) {
	outer = *n
	n.body, n.many = len(n.hashes), nil
	return outer
}

// close ends the body that open began.
func (n *seen) close(outer seen) {
	hashes := n.hashes[:n.body]
	n.body, n.hashes, n.many = outer.body, hashes, outer.many
}

// add notes the name of an argument, and reports whether it is surely a new one.
func (n *seen) add(name []byte) bool {
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
