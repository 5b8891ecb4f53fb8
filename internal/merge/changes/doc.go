// Package changes finds what override files change in a module: the configuration that
// the primary files alone amount to is compared with the effective one, argument by
// argument, and objects and lists key by key and element by element.
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
// In go the histories of a merged module; out come changes as data, each with the values
// on both sides, their places and the rule that decided. Expressions are compared as
// texts, but for layout, comments and the spelling of constants, which don't count.
// An object with keys that only an evaluation shows, and a list with too many
// differences, are one value.
//
// Work and memory are in proportion to the text that is compared.
package changes
