"""gRPC kit: who calls, deadlines, typed errors, server and client."""
