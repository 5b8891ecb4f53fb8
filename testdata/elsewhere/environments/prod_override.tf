locals {
  endpoint = "https://prod.example.com"
}

resource "aws_instance" "web" {
  instance_type = "m5.large"
}
