# The disks of the shop's server hold customer data.
resource "aws_instance" "shop" {
  ami           = "ami-0abc"
  instance_type = "m5.large"

  ebs_block_device {
    device_name = "/dev/sdb"
    volume_size = 200
    encrypted   = true
    kms_key_id  = aws_kms_key.disks.arn
  }
}

resource "aws_kms_key" "disks" {
  description = "encrypts the disks"
}
