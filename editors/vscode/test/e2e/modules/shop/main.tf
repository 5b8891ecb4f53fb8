provider "aws" {
  region = "eu-central-1"
}

resource "aws_security_group" "web" {
  name = "web"

  ingress {
    from_port   = 443
    to_port     = 443
    cidr_blocks = ["0.0.0.0/0"]
  }

  ingress {
    from_port   = 80
    to_port     = 80
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_instance" "web" {
  ami           = "ami-0abc"
  instance_type = "m5.large"

  tags = {
    Name  = "web"
    Owner = "shop"
  }

  root_block_device {
    volume_size = 50
    encrypted   = true
  }
}
