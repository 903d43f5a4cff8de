"""One module a fault family; ``eval.scenarios.registry`` lists them."""
