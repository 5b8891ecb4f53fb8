package check

// Pairs pairs elements of two lists that have a key in common, each with at most one other and
// the first ones first: by the first kind of key, then those without a counterpart by the next
// kind. For each element of found it returns the index of its counterpart in known, or -1.
func Pairs[T any, K comparable](found, known []T, kinds ...func(T) K) []int {
	counterparts := make([]int, len(found))
	for i := range counterparts {
		counterparts[i] = -1
	}
	isTaken := make([]bool, len(known))
	for _, keyOf := range kinds {
		waiting := map[K][]int{}
		for i, x := range known {
			if !isTaken[i] {
				key := keyOf(x)
				waiting[key] = append(waiting[key], i)
			}
		}
		for i, x := range found {
			if counterparts[i] >= 0 || len(waiting) == 0 {
				continue
			}
			key := keyOf(x)
			if list := waiting[key]; len(list) > 0 {
				counterparts[i], waiting[key] = list[0], list[1:]
				isTaken[list[0]] = true
			}
		}
	}
	return counterparts
}
