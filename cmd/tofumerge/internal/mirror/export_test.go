package mirror

// IsTooMuch is the function that finds directories which are not copied.
var IsTooMuch = isTooMuch

// SetMostOutside replaces the number of files outside that are searched, and returns the earlier one.
func SetMostOutside(with int) int {
	was := mostOutside
	mostOutside = with
	return was
}
