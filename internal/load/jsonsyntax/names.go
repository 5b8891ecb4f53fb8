package jsonsyntax

// A nameSet is where each name was met first. Most sets are small.
type nameSet struct {
	few  []namedAt
	many map[string][2]uint32
}

type namedAt struct {
	name string
	at   [2]uint32
}

// met notes a name and returns where it was met first.
func (s *nameSet) met(name string, at [2]uint32) [2]uint32 {
	const few = 16
	for _, n := range s.few {
		if n.name == name {
			return n.at
		}
	}
	if first, ok := s.many[name]; ok {
		return first
	}
	if len(s.few) < few {
		s.few = append(s.few, namedAt{name, at})
		return at
	}
	if s.many == nil {
		s.many = map[string][2]uint32{}
	}
	s.many[name] = at
	return at
}

// A setPool keeps sets for others to use.
type setPool []*nameSet

func (p *setPool) get() *nameSet {
	if n := len(*p); n > 0 {
		s := (*p)[n-1]
		*p = (*p)[:n-1]
		return s
	}
	return &nameSet{}
}

func (p *setPool) put(s *nameSet) {
	s.few, s.many = s.few[:0], nil
	*p = append(*p, s)
}
