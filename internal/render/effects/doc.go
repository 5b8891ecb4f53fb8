// Package effects lists the effects of each override file, name by name.
//
//	override.tf                            Of
//	resource "aws_instance" "web" {
//	  instance_type = "t3.micro"       →   overrides aws_instance.web.instance_type
//	  monitoring    = true             →   adds      aws_instance.web.monitoring
//	}
//
// From a merged module and its diagnostics it derives effects as data, for the records of package
// report and the tables of package term.
package effects
