package load

// Links are followed as engines do. One may lead to a file that has nothing to do with
// the module, such as one with the passwords of whoever runs the program, and messages
// about it must not quote it.

// NotQuoted replaces the text of a message that would quote a file.
const NotQuoted = "The file is outside the repository, so nothing in it is quoted."

// NotListed says that a directory was passed over.
const NotListed = "The directory is a link that points outside the repository, so its files aren't listed."
