//go:build !unix

package load

const openNonblocking = 0
