variable "stage" {
  default = "prod"
}

resource "aws_sqs_queue" "orders" {
  max_message_size = 1048576 # the most that the service takes
}
