// Package deny finds what a policy forbids override files to set.
package deny
