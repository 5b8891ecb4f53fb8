terraform {
  required_version = ">= 1.8"

  backend "s3" {
    bucket       = "acme-state"
    key          = "shop.tfstate"
    region       = "eu-central-1"
    encrypt      = true
    use_lockfile = true
  }
}

variable "stage" {
  type    = string
  default = "prod"
}

resource "aws_instance" "shop" {
  ami           = "ami-0abc"
  instance_type = "m5.large"
  tags = {
    Stage = var.stage
  }
}
