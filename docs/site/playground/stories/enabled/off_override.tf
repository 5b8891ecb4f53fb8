# The test environment needs no gateway.
resource "aws_nat_gateway" "main" {
  lifecycle {
    enabled = false
  }
}
