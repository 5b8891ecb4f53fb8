// Package report holds the reports that programs read, and writes them.
package report
