// Package compare finds what two engines read differently in a module, and what a
// module means apart from how it is written.
package compare
