package relocate

// SetLongest sets how long a document may be, and returns how long it was.
func SetLongest(n int) int {
	was := longestDoc
	longestDoc = n
	return was
}
