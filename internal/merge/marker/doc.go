// Package marker finds the overrides that determine the effective values in the blocks of primary
// files, and corrects the comments above these blocks that name them.
//
// Such a comment is called a notice here: "# overridden: a_override.tf (instance_type),
// b_override.tf (ami)". It is the last line of a block's lead comment. A line of exactly this form
// there is a notice, even if a person wrote it; every other comment is the author's.
package marker
