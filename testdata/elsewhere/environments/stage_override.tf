locals {
  endpoint = "https://stage.example.com"
}
