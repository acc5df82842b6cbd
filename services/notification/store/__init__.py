"""Tables and queries; gives domain values."""
