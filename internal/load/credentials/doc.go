// Package credentials knows the names of arguments whose values prove who somebody is.
//
// No flag in the configuration marks the credentials of providers, backends, key providers and
// connections; only their names do. The package looks for them among names and in the text of an
// object. The shapes of package language define the blocks in which the names apply.
package credentials
