# For work on a laptop: local state, a small machine.
terraform {
  backend "local" {}
}

resource "aws_instance" "web" {
  instance_type = "t3.micro"
  monitoring    = false

  ebs_block_device {
    device_name = "/dev/sdc"
  }

  lifecycle {
    enabled = false
  }
}
