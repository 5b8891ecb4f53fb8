// Command compare shows that two builds of tofumerge behave the same.
//
//	go run ./.ci/compare [-generated N] [-seed N] [-j N] OLD NEW [DIR...]
//
// It runs both with every command that takes a module, over each module, and compares standard
// output, standard error, the exit status and the files that are written, byte for byte. For
// example, before and after code is moved:
//
//	go build -o /tmp/old ./cmd/tofumerge
//	... move it ...
//	go build -o /tmp/new ./cmd/tofumerge
//	go run ./.ci/compare -generated 200 /tmp/old /tmp/new testdata/script
//
// The modules are those of testdata/rules and testdata/modules, an empty directory, and for each
// DIR the directories in and below it that contain configuration files. The txtar archives in DIR
// are unpacked, and treated as directories. With -generated, N more are made of these: copies with
// lines deleted, repeated or exchanged, and files that override themselves.
//
// Commands that write into a module work on a copy of it. A large tree below a module is not
// copied, and a link out of it is replaced by a copy of its target. The two builds run one after
// the other under paths of one length, in one directory, with the same few environment variables. A
// version that is linked in may differ. A run that takes longer than -timeout is a difference.
//
// It prints the first differences of each command and each kind, with a command line for bash that
// repeats both runs, and then how many runs of each command differ. The files needed to repeat them
// are kept in a temporary directory.
//
// The exit status is 1 if anything differs, and 2 if the builds can't be compared; "go run" makes 1
// of both.
package main
