"""The downstream family, logged in Chinese: the edge shows a fault that sits two calls further."""
