package load

// What files say about the names in bodies that belong to providers.

// note remembers how a native top-level block writes the names in its body, of
// arguments only those that JSON files ask about.
func (u usage) note(b *Block, asked openNames) {
	shape, ok := LanguageOf(b.File.Engine).Block(b.Type)
	if ok && b.Body != nil && len(b.Labels) == len(shape.Labels) {
		u.noteBody(b.Body, shape.Body, bodyPath(b), asked)
	}
}

// openNames are those of properties in JSON bodies that may be nested blocks.
type openNames map[string]bool

// bodyPath is the path of the body of a top-level block.
func bodyPath(b *Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "/" + b.Labels[0]
}

func (u usage) noteBody(body *Body, shape *BodyShape, path string, asked openNames) {
	for _, it := range body.Items {
		name := it.Called()
		nb, isBlock := it.(*Block)
		switch {
		case !isBlock:
			if asked[name] && shape.isOpen() && !shape.Knows(name) {
				u.at(path, name, func(x *use) { x.argument = true })
			}
		case nb.Type == EscapeBlock:
			u.noteBody(nb.Body, open, path, asked)
		case nb.Type == DynamicBlock && len(nb.Labels) == 1:
			u.noteBlock(path, name, 0)
			for _, content := range nb.Body.Blocks("content") {
				u.noteBody(content.Body, open, path+"/"+name, asked)
			}
		default:
			inner, known := shape.Block(name)
			if !known {
				u.noteBlock(path, name, len(nb.Labels))
				inner = BlockShape{Body: open}
			}
			u.noteBody(nb.Body, inner.Body, innerPath(path+"/"+name, nb, inner), asked)
		}
	}
}

// innerPath is the path of the body of a nested block. Blocks of the language
// that have a type for a label have it in the path.
func innerPath(at string, b *Block, shape BlockShape) string {
	switch {
	case len(shape.Labels) == 0 || len(b.Labels) == 0:
		return at
	case shape.Like != "":
		return shape.Like + "/" + b.Labels[0]
	}
	return at + "/" + b.Labels[0]
}

// noteJSON remembers what a JSON body says of its names, and gathers those that
// other files may be asked about.
func (u usage) noteJSON(body jsonValue, path string, asked openNames) {
	for p := range body.objects() {
		name := p.name()
		switch {
		case name == EscapeBlock:
			u.noteJSON(p, path, asked)
		case name == DynamicBlock && !holdsArguments(path) && p.makesBlocks():
			u.noteDynamic(p, path, asked)
		case !isCollection(p) || p.kind() == '[' && !p.node().empty && !p.holdsNested():
			if !u[path][name].scalar {
				u.at(path, name, func(x *use) { x.scalar = true })
			}
		default:
			asked[name] = true
			if p.kind() == '[' && !p.node().empty && mayBeBlocks(p) {
				u.at(path, name, func(x *use) { x.array = true })
			}
			if p.kind() != 'n' {
				u.noteJSON(p, path+"/"+name, asked)
			}
		}
	}
}

// noteNested does so for blocks inside of one that is the language's own: those
// that belong to a provider, and those that are like top-level blocks.
func (u usage) noteNested(body jsonValue, shape *BodyShape, path string, asked openNames) {
	for p := range body.objects() {
		inner, _ := shape.Block(p.name())
		switch {
		case inner.Like != "":
			for typ := range p.objects() {
				for block := range typ.objects() {
					u.noteJSON(block, inner.Like+"/"+typ.name(), asked)
				}
			}
		case len(inner.Labels) == 0 && inner.Body.isOpen():
			u.noteJSON(p, path+"/"+p.name(), asked)
		}
	}
}

func (u usage) noteDynamic(p jsonValue, path string, asked openNames) {
	for made := range p.objects() {
		u.noteBlock(path, made.name(), 0)
		for arg := range made.objects() {
			if arg.name() == "content" {
				u.noteJSON(arg, path+"/"+made.name(), asked)
			}
		}
	}
}
