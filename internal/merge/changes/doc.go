// Package changes finds what override files change in a module: the configuration that the primary
// files alone describe is compared with the effective one, argument by argument, and objects and
// lists key by key and element by element.
//
//	main.tf                                override.tf
//	resource "aws_instance" "web" {        resource "aws_instance" "web" {
//	  tags = {                               tags = {
//	    Owner = "shop"                         Owner = "ci"
//	    Cost  = "4711"                       }
//	  }                                    }
//	}
//
//	changed  aws_instance.web.tags.Owner   "shop" → "ci"
//	dropped  aws_instance.web.tags.Cost    "4711"
//
// From the histories of a merged module it derives changes as data, each with the values on both
// sides, their locations and the deciding rule. Expressions are compared as texts, apart from
// layout, comments and the spelling of constants. An object with computed keys, and a list with too
// many differences, are one value.
//
// Work and memory are in proportion to the text that is compared.
package changes
