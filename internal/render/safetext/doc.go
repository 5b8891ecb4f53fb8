// Package safetext makes text safe for terminals, pipelines and XML.
package safetext
