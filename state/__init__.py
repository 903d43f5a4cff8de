"""What a run knows: pure models, the ports to the outside, and the stores behind them."""
