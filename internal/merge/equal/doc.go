// Package equal compares what items of configuration say.
package equal
