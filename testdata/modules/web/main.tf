terraform {
  backend "s3" {
    bucket = "acme-state"
    key    = "web.tfstate"
  }
}

# The web server of the shop.
resource "aws_instance" "web" {
  ami           = "ami-0abc"
  instance_type = "m5.large" # sized for the sale

  ebs_block_device {
    device_name = "/dev/sdb"
    encrypted   = true
  }

  lifecycle {
    ignore_changes = [tags]
  }
}
