"""What goes and what stays as time passes."""
