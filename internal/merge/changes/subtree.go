package changes

import "github.com/tofumerge/tofumerge/internal/merge/address"

// Within prefixes the addresses of a module's blocks and changes with the address of the call that
// loads it.
func Within(own address.Address, blocks []*Block) []*Block {
	if own.IsEmpty() {
		return blocks
	}
	list := make([]*Block, len(blocks))
	for i, b := range blocks {
		inner := *b
		inner.Address = own.Join(b.Address)
		inner.Changes = make([]Change, len(b.Changes))
		subjects := map[*Subject]*Subject{}
		for n, c := range b.Changes {
			if subjects[c.Subject] == nil {
				s := *c.Subject
				s.Address = own.Join(s.Address)
				subjects[c.Subject] = &s
			}
			c.Subject = subjects[c.Subject]
			inner.Changes[n] = c
		}
		list[i] = &inner
	}
	return list
}
