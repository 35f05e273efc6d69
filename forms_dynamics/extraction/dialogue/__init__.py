"""What is read of a conversation by Form types that say no more than their slots' names, descriptions and values."""
