"""The fronts: events become commands, screens what people see. Only the main module knows them."""
