"""Adapters of the ports: one file per backend. Vendor errors become TruthUnavailable at the door."""
