"""What every page stands on."""
