# The office may log in, too.
resource "aws_security_group" "web" {
  ingress {
    description = "SSH for the office"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["192.0.2.0/24"]
  }
}
