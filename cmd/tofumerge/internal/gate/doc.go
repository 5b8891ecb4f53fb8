// Package gate finds what check reports about modules: mistakes in override files and overrides
// that a policy denies. Modules may come from the disk, an index, a revision or an editor.
//
// From the flags of check and the modules to inspect, it makes an Inspection of each module and a
// report about all of them. It also knows the findings of a revision (Since), accepted findings
// (Baseline), and which findings can be fixed without changing the meaning of the module (Fix). It
// accepts nothing that it could not inspect: that is a finding.
package gate
