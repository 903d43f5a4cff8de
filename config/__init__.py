"""What an operator chooses (settings), what the contracts fix (limits), and the words of the prompts."""
