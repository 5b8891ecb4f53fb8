//go:build unix

package load

import "syscall"

const openNonblocking = syscall.O_NONBLOCK
