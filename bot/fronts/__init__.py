"""The fronts: where people meet the house. Only the main module imports them."""
