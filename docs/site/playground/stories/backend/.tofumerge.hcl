# No override file may move the state.
deny = ["terraform.backend"]
