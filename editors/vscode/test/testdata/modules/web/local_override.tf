resource "aws_instance" "web" {
  ami = "ami-0abc"

  ebs_block_device {
    device_name = "/dev/sdc"
  }
}
