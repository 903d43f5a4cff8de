"""Who asks over the network, and what they may. Pure."""

from enum import StrEnum

from state.model.base import Value


class Role(StrEnum):
    """What a key allows. ``operator`` and ``auditor`` each include ``user``; neither includes the other."""

    USER = "user"
    """Ask, watch and judge own runs; search runbooks."""
    OPERATOR = "operator"
    """Documents, rebuild, alerts, metrics, cases; every session's runs."""
    AUDITOR = "auditor"
    """Every session's runs with reasoning, raw evidence and export; each access is recorded."""


class Caller(Value):
    """One authenticated key."""

    name: str
    """Name of the key in the configuration: the owner of its sessions. ``local`` where no key is asked for."""
    roles: frozenset[Role]

    def may(self, role: Role) -> bool:
        """True if the key has the role, by itself or included in another."""
        return role in self.roles or (role is Role.USER and bool(self.roles))

    @property
    def sees_every_session(self) -> bool:
        """True: also the runs of other keys may be read."""
        return self.may(Role.OPERATOR) or self.may(Role.AUDITOR)


LOCAL_CALLER = Caller(name="local", roles=frozenset(Role))
"""Who asks where keys are off: on loopback only."""
