terraform {
  backend "s3" {
    bucket       = "acme-state"
    key          = "shop.tfstate"
    region       = "eu-central-1"
    use_lockfile = true
  }
}

provider "aws" {
  region = "eu-central-1"

  assume_role {
    role_arn = "arn:aws:iam::111122223333:role/deploy"
  }
}
