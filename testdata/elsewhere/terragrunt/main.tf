provider "aws" {
  region = "eu-central-1"

  assume_role {
    role_arn     = "arn:aws:iam::111122223333:role/deploy"
    session_name = "deploy"
  }
}
