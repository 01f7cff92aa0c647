"""The fronts: events become commands, screens what people see; `bot.house` opens them."""
