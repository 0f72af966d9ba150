"""The pages: a route is read, call, render."""
