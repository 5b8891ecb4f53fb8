# Somebody adds an owner.
resource "aws_s3_bucket" "logs" {
  tags = {
    Team  = "platform"
    Owner = "mia"
  }
}
