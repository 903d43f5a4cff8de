"""The no-evidence family: nothing held anywhere explains what people ask about."""
