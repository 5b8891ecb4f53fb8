package extract

// LimitRounds sets the maximum number of trials for the rest of a test, and returns a function that restores it.
func LimitRounds(n int) (restore func()) {
	before := maxRounds
	maxRounds = n
	return func() { maxRounds = before }
}
