// Package providers finds which providers the effective configuration of a module needs, which
// versions of them it allows and which blocks decide that, and compares them with the lock file.
//
// Modules that it calls, and its tests, may need others, and allow fewer versions.
package providers
