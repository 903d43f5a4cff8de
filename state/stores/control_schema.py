"""Every table of the control store's database: its own, and those of the service that are kept beside them."""

from state.stores import service_tables  # noqa: F401 - importing it adds its tables to the metadata
from state.stores.control_tables import ControlTable
from state.stores.schema import Schema

CONTROL_SCHEMA = Schema("control", ControlTable.metadata)
