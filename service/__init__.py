"""Entry points for people: the command line. Parses, calls the facade in ``graph.app``, shows; decides nothing."""
