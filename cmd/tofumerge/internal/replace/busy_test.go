package replace

import (
	"errors"
	"testing"
	"time"
)

// A file that another program has open is tried again for a while, and then reported as busy. Any
// other error ends it at once.
func TestRetried(t *testing.T) {
	shared, other := errors.New("sharing violation"), errors.New("disk full")
	isShared := func(err error) bool { return errors.Is(err, shared) }
	for _, c := range []struct {
		name  string
		errs  []error // the last one stays
		tries int
		want  error
	}{
		{"free", []error{nil}, 1, nil},
		{"let go of", []error{shared, shared, nil}, 3, nil},
		{"another error", []error{other}, 1, other},
		{"another error later", []error{shared, other}, 2, other},
		{"kept open", []error{shared}, busyTries, errBusy},
	} {
		tries, waited := 0, time.Duration(0)
		err := retried(func() error {
			tries++
			return c.errs[min(tries, len(c.errs))-1]
		}, isShared, func(d time.Duration) { waited += d })
		if !errors.Is(err, c.want) || tries != c.tries {
			t.Errorf("%s: %v after %d tries, want %v after %d", c.name, err, tries, c.want, c.tries)
		}
		if c.want == errBusy && (waited < 500*time.Millisecond || waited > 3*time.Second) {
			t.Errorf("%s: waited %v, want about a second", c.name, waited)
		}
	}
}
