// Package extract finds the smallest override file with which one module means what an edited
// copy of it means.
//
//	BASE                                EDITED                       override
//	resource "aws_instance" "web" {     …                            resource "aws_instance" "web" {
//	  ami  = "ami-1"                      ami  = "ami-2"               ami = "ami-2"
//	  tags = { Owner = "shop" }           tags = { Owner = "shop" }  }
//	}
//
// In go two loaded modules; out come the parts of an override file, each with the item of EDITED
// that it comes from, and a list of what no override can express, with the reason.
//
// The package knows no rule of its own. It writes down what is not the same, merges that, and asks
// the result what became of each part: what has no effect is taken out again and listed. Whoever
// calls it writes the text and loads it, so that exactly the bytes are proved that people get.
//
// It refuses modules that the engine refuses. It touches no file.
package extract
