"""The wire format of the schedule service: checks of shape, and protobuf to values and back."""
