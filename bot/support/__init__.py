"""Settings, logs, metrics, tasks, texts: what knows no match."""
