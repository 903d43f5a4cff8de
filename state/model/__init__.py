"""Pure values and rules: no I/O, no framework, nothing of ours from above this folder."""
