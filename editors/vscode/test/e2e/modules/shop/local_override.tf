# The shop in LocalStack.
provider "aws" {
  access_key = "test"

  endpoints {
    s3 = "http://localhost:4566"
  }
}

resource "aws_security_group" "web" {
  ingress {
    from_port   = 8080
    to_port     = 8080
    cidr_blocks = ["127.0.0.1/32"]
  }
}

resource "aws_instance" "web" {
  instance_type = "t3.small"

  root_block_device {
    volume_size = 20
  }
}
