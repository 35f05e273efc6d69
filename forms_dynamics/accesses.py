"""When Forms were last read: noted at most once a day a Form, and written a few at a time, so that a read stays a
read."""
