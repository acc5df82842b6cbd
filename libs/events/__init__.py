"""NATS JetStream: contracts of events, envelopes, connection, durable consumers, hints."""
