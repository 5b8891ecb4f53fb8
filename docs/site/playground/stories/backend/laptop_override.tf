# For work on a laptop: local state and a small machine.
terraform {
  backend "local" {}
}

variable "stage" {
  default = "mia"
}

resource "aws_instance" "shop" {
  instance_type = "t3.micro"
}
