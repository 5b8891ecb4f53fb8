package load

// Links are followed as engines follow them. A link may point to a file unrelated to the module,
// such as one with the user's passwords, and messages about it must not quote it.

// NotQuoted replaces the text of a message that would quote a file.
const NotQuoted = "The file is outside the repository, so nothing in it is quoted."

// NotListed explains why a directory was skipped.
const NotListed = "The directory is a link that points outside the repository, so its files aren't listed."
