// Package gate finds what check reports about modules: mistakes in override files and overrides
// that a policy denies. Modules may come from the disk, an index, a revision or an editor.
//
// From the flags of check and the modules to inspect, it makes an Inspection of each module and a
// report about all of them. It also knows the findings of a revision (Since), accepted findings
// (Baseline), and which findings can be fixed without changing the meaning of the module (Fix). It
// accepts nothing that it could not inspect: that is a finding.
//
// A baseline holds the known findings of modules, totalled by their keys, as JSON with one sorted
// line for each, so that a version control system can merge it and a person can review it. Modules
// are identified by their directories, relative to that of the file.
package gate
