// Package complete completes the words of a command line for a shell: directories, addresses,
// rules, engines and names of files.
//
// Every function gets the word so far and returns its completions. If anything fails, the shell
// gets nothing, because it shows no messages. The module may be anybody's, so that time, memory and
// the number of words have bounds, and words that would act on a shell or a terminal are left out.
package complete
