"""What things cost: ``make bench`` prints a table and writes JSON. Reports, never judges."""
