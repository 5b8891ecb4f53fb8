package replace

import (
	"errors"
	"time"
)

// Windows refuses to rename or remove a file that another program has open: an editor, a virus
// scanner, an indexer. Most of them close it soon.

// busyTries and busyWait are how often that is tried, and how long the first pause is.
const busyTries, busyWait = 8, 10 * time.Millisecond

// errBusy is the error about a file that is still open after that.
var errBusy = errors.New("it is open in another program, or you may not change it; close it there and run the command again")

// patiently repeats an action until it succeeds, or fails because of something else than a file
// that is open elsewhere; each pause is twice as long as the previous one, about a second in all.
func patiently(do func() error) error { return retried(do, isBusy, time.Sleep) }

func retried(do func() error, isBusy func(error) bool, sleep func(time.Duration)) error {
	err := do()
	for i := 1; i < busyTries && err != nil && isBusy(err); i++ {
		sleep(busyWait << (i - 1))
		err = do()
	}
	if err != nil && isBusy(err) {
		return errBusy
	}
	return err
}

// renameFile gives a file another name.
func (d *dir) renameFile(from, to string) error {
	return patiently(func() error { return d.root.Rename(from, to) })
}

// removeFile removes a file.
func (d *dir) removeFile(name string) error {
	return patiently(func() error { return d.root.Remove(name) })
}
