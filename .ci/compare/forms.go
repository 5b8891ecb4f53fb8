package main

import "strings"

// A form is a way to call the program. In its words stand for something else:
//
//	{module}   the module, seen from the directory that it is in
//	{other}    another module
//	{file}     the first configuration file of the module
//	{first}, {middle}, {last}  addresses in it
//	{schema}   a provider schema of the module
//	{policy}   a settings file
//	{out}      a new file or directory, which is compared
//
// A form with a word that nothing stands for is left out. A word "-" has the file
// come on standard input.
type form struct {
	in   place
	text string
}

// A place is the kind of directory in which the program runs.
type place int

const (
	inside  place = iota // the module
	above                // the directory that the module is in
	aCopy                // a copy of the module, which is compared
	nowhere              // an empty directory, once and not for each module
)

func (f form) words() []string { return strings.Fields(f.text) }

// forms are all of them. A new command or flag belongs here.
var forms = []form{
	{inside, ""},
	{above, "render {module}"},
	{above, "-C {module}"},
	{inside, "--json"},
	{inside, "-a"},
	{inside, "-a --redact"},
	{inside, "-a --color always"},
	{inside, "-a --json"},
	{inside, "-a --json --redact"},
	{inside, "--annotate=full --json"},
	{inside, "--only-changed"},
	{inside, "--only-changed -a --json"},
	{inside, "--filter {first} --filter {last}"},
	{inside, "--filter *.* --json"},
	{inside, "--no-overrides"},
	{inside, "--no-overrides --json"},
	{inside, "--sort"},
	{inside, "--sort -a --json"},
	{inside, "-q -v"},
	{inside, "-o {out}"},
	{inside, "--show-source --color always"},
	{inside, "--exclude-override *"},
	{inside, "-a --exclude-override * --overlay {file}"},
	{inside, "--overlay - --json"},
	{inside, "--provider-schema {schema}"},
	{inside, "--provider-schema {schema} -a --json"},
	{inside, "--engine opentofu@1.6"},
	{inside, "--engine opentofu@1.8"},
	{inside, "--engine opentofu@1.11 -a"},
	{inside, "--engine terraform@1.5"},
	{inside, "--engine terraform@1.9 -a --json"},
	{inside, "--engine terraform@1.15 -a"},

	{inside, "list"},
	{above, "list {module} -v --color always"},
	{inside, "list --json"},
	{inside, "list --json --redact"},
	{inside, "list -z"},
	{above, "list -r {module}"},
	{inside, "list -r --json"},
	{inside, "list --engine opentofu@1.7"},
	{inside, "list --engine terraform@1.14 --json"},

	{inside, "changes"},
	{inside, "changes --json --redact"},
	{above, "changes {module} -f markdown"},
	{above, "changes -r {module} --json"},
	{inside, "changes . --from {other}"},
	{inside, "changes --without *override.tf --json"},

	{inside, "report"},
	{above, "report {module} --redact"},

	{inside, "diff"},
	{above, "diff {module}"},
	{above, "diff -r {module}"},
	{inside, "diff --detailed-exitcode"},
	{inside, "diff --color always"},
	{inside, "diff --exclude-override a* --overlay {file}"},
	{inside, "diff --json"},
	{inside, "diff --json --redact"},
	{inside, "diff --provider-schema {schema}"},
	{inside, "diff . --from {other}"},
	{inside, "diff . --from {other} --json"},

	{inside, "explain {first}"},
	{inside, "explain {first} {middle} --json"},
	{inside, "explain {last} no.such --redact"},
	{above, "explain -r {module} --all"},
	{inside, "explain --all"},
	{inside, "explain --all --color always --engine terraform@1.9"},
	{inside, "explain --all --json"},
	{inside, "explain --all --json --redact --engine opentofu@1.8"},

	{inside, "check"},
	{above, "check {module} --color always --show-source"},
	{above, "check -r {module} --min-severity error"},
	{inside, "check {file}"},
	{inside, "check -f text --enable inert-required-version --enable unmarked-override"},
	{inside, "check -f json"},
	{inside, "check -f sarif"},
	{inside, "check -f github"},
	{inside, "check -f junit"},
	{inside, "check -f gitlab"},
	{inside, "check -f github --also sarif={out}"},
	{inside, "check --fix"},
	{aCopy, "check --fix --write --fail-on never"},
	{inside, "check --fix --enable unmarked-override --select unmarked-override"},
	{inside, "check --write-baseline {out}"},
	{inside, "check -f json --engine terraform@1.15 --deny ** --deny-overrides --allow-file b_override.tf --disable no-effect"},
	{inside, "check --against-engine terraform@1.9 --against-engine opentofu@1.8"},
	{inside, "check --config {policy}"},
	{inside, "check --provider-schema {schema} -f json"},

	{inside, "flatten"},
	{above, "flatten -r {module}"},
	{inside, "flatten -o {out} --only-config"},
	{aCopy, "flatten -o {out}"},
	{inside, "flatten -o {out} --only-config --engine terraform@1.9"},
	{aCopy, "flatten --write"},
	{aCopy, "exec . -- ls"},
	{aCopy, "flatten --write --engine opentofu@1.8"},

	{inside, "extract . {other}"},
	{inside, "extract . {other} -f json"},
	{inside, "extract {other} ."},
	{inside, "extract . ."},
	{inside, "extract --since HEAD"},

	{nowhere, "help"},
	{nowhere, "help render"},
	{nowhere, "help list"},
	{nowhere, "help diff"},
	{nowhere, "help explain"},
	{nowhere, "help check"},
	{nowhere, "help flatten"},
	{nowhere, "help extract"},
	{nowhere, "help version"},
	{nowhere, "help completion"},
	{nowhere, "write-completions {out}"},
	{nowhere, "no-such-directory"},
	{nowhere, "lsit"},
	{nowhere, "-json"},
	{nowhere, "-chdir=x"},
	{nowhere, "--no-such-flag"},
	{nowhere, "--engine opentofu@0.1"},
	{nowhere, "check no-such-directory"},
	{nowhere, "explain"},
	{nowhere, "flatten"},
}

// policy is the settings file that {policy} stands for.
const policy = `disable     = ["shadowed-file"]
enable      = ["unmarked-override", "inert-required-version"]
deny        = ["terraform.**", "module.*", "aws_*.**"]
allow_files = ["b_override.tf"]
`
