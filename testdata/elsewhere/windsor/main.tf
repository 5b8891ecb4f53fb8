terraform {
  backend "s3" {
    bucket  = "acme-state"
    key     = "cluster.tfstate"
    region  = "eu-central-1"
    encrypt = true
  }
}
