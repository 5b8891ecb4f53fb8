x {
