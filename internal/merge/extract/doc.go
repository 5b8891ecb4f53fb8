// Package extract finds the smallest override file that gives one module the meaning of an edited
// copy.
//
//	BASE                                EDITED                       override
//	resource "aws_instance" "web" {     …                            resource "aws_instance" "web" {
//	  ami  = "ami-1"                      ami  = "ami-2"               ami = "ami-2"
//	  tags = { Owner = "shop" }           tags = { Owner = "shop" }  }
//	}
//
// From two loaded modules, it derives the parts of an override file, each with the item of EDITED
// that it comes from, and a list of the differences that no override can express, with reasons.
//
// The package contains no rules. It writes the differences into an override, merges that, and
// inspects the outcome of each part: parts without effect are removed again and listed. The caller
// writes the text and loads it, so the proof is about exactly the bytes that people get.
//
// It refuses modules that the engine refuses. It touches no file.
package extract
