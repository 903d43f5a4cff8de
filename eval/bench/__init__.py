"""What Rootproof costs, as ratios within one process: `python -m eval.bench` writes docs/benchmarks.md."""
