"""The fronts turn platform events into commands and screens into messages."""
