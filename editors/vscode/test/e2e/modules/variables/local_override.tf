variable "stage" {
  default = "local"
}
