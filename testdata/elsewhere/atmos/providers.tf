variable "region" {
  type = string
}

provider "aws" {
  region = var.region

  default_tags {
    tags = {
      team = "network"
    }
  }
}
