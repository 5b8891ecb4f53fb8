provider "aws" {
  region                      = "eu-central-1"
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true

  endpoints {
    s3 = "http://s3.localhost.localstack.cloud:4566"
  }
}

terraform {
  backend "s3" {
    bucket       = "acme-state"
    key          = "shop.tfstate"
    region       = "eu-central-1"
    use_lockfile = true
    access_key   = "test"
    secret_key   = "test"
  }
}
