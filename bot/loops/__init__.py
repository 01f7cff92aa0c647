"""What runs by itself: computer moves, analyses, deadlines, the watch on the database."""
