resource "aws_nat_gateway" "main" {
  allocation_id = aws_eip.nat.id
  subnet_id     = aws_subnet.public.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_eip" "nat" {
  domain = "vpc"
}

resource "aws_subnet" "public" {
  vpc_id     = "vpc-0abc"
  cidr_block = "10.0.1.0/24"
}
