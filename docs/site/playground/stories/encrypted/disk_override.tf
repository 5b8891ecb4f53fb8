# We only need a larger disk.
resource "aws_instance" "shop" {
  ebs_block_device {
    device_name = "/dev/sdb"
    volume_size = 500
  }
}
