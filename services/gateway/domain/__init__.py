"""What the gateway decides without any IO: language, words, paths, keys, rates, grid."""
