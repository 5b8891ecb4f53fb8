variable "stage" {
  default = "dev"
}

output "bucket" {
  value = "${var.stage}-assets"
}
