// Package effects works out what each override file does, name by name.
//
//	override.tf                            Of
//	resource "aws_instance" "web" {
//	  instance_type = "t3.micro"       →   overrides aws_instance.web.instance_type
//	  monitoring    = true             →   adds      aws_instance.web.monitoring
//	}
//
// In go a merged module and its diagnostics; out come effects as data, for the records
// of package report and the tables of package term.
package effects
