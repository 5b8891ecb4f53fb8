package jsonexpr

// A NameSet is where each name was met first. Most sets are small.
type NameSet struct {
	few  []namedAt
	many map[string][2]uint32
}

type namedAt struct {
	name string
	at   [2]uint32
}

// Met notes a name and returns where it was met first.
func (s *NameSet) Met(name string, at [2]uint32) [2]uint32 {
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

// A NameSets keeps sets for others to use.
type NameSets []*NameSet

// Get returns an empty set.
func (p *NameSets) Get() *NameSet {
	if n := len(*p); n > 0 {
		s := (*p)[n-1]
		*p = (*p)[:n-1]
		return s
	}
	return &NameSet{}
}

// Put takes back a set that is no longer needed.
func (p *NameSets) Put(s *NameSet) {
	s.few, s.many = s.few[:0], nil
	*p = append(*p, s)
}
