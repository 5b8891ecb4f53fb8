package merge

// renew replaces the first item that earlier files hold, and removes their other items.
func (m *merger) renew(c *MergedBody, g *group, fresh bool) {
	by := g.items[0]
	r := m.renewal(c, g.key.Name)
	if r.file != by.Source() {
		r.file, r.earlier, r.own = by.Source(), append(r.earlier, r.own...), nil
	}
	if len(r.earlier) == 0 {
		m.replace(c, g, fresh)
		if e := c.claim(g.key); e != nil && e.InEffect() {
			r.own = append(r.own, e)
		}
		return
	}
	m.put(r.earlier[0], g, fresh)
	for _, e := range r.earlier[1:] {
		e.hide(by, g.rule)
	}
	r.earlier, r.own = nil, append(r.own, r.earlier[0])
}

func (m *merger) renewal(c *MergedBody, name string) *renewal {
	r := m.renewals[renewalKey{c, name}]
	if r == nil {
		r = &renewal{}
		for _, e := range c.Items {
			if e.Key.Name == name && e.InEffect() {
				r.earlier = append(r.earlier, e)
			}
		}
		m.renewals[renewalKey{c, name}] = r
	}
	return r
}
