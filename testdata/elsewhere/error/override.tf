resource "aws_instance" "wep" {
  instance_type = "m5.large"
}
