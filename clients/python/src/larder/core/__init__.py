"""What both clients are made of."""
