"""Message formats, one module a technology: how the real software phrases its log records."""
