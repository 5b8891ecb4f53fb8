// Package repo answers questions about paths: the target of a path, the directories above it, its
// repository, and whether a link points outside that.
//
// Paths are on the disk, relative ones as seen from the working directory. A Disk reads files, and
// GitDirs which repository a .git names; everything else reads names and links only. A .git is not
// judged, so that it need not be a repository that Git accepts. The answers decide which settings and version files apply to a
// module, so a .git below the working directory doesn't end the upward search: it may be a part of
// the change under review, as in an archive or a submodule.
package repo
