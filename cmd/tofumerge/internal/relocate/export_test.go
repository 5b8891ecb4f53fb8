package relocate

// SetLongest sets how long a document may be, and returns how long it was.
func SetLongest(n int) int {
	was := longestDoc
	longestDoc = n
	return was
}

// Line returns a line of text with the locations of the originals.
func (m *Mapper) Line(line []byte) []byte { return m.mapLine(line, &quotation{}, harmless) }
