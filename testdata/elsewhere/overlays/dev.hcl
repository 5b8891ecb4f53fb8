locals {
  endpoint = "https://dev.example.com"
}
