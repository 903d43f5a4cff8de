"""Pure decisions: typed values in, verdict out. No I/O, no framework, unknown means no."""
