"""What clients of a cluster did and saw, and what the nodes hold at the end."""

import dataclasses
import enum


class Outcome(enum.Enum):
    """What a client knows of a write."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclasses.dataclass
class Operation:
    """One write of a client. It may have been sent several times, to different nodes, with the same commit id."""

    commit: str
    writer: str
    kind: str
    value: str
    invoked: float
    returned: float | None = None
    outcome: Outcome = Outcome.UNKNOWN
    position: int | None = None
    node: int | None = None
    since: int | None = None

    def __str__(self):
        place = f" at {self.position} by node {self.node}" if self.position is not None else ""
        return f"{self.kind} of {self.value} ({self.writer}, commit {self.commit}, {self.outcome.value}{place})"


@dataclasses.dataclass(frozen=True)
class Read:
    """The register and the list as a client read them from a node, with the position that the answer names."""

    node: int
    position: int
    invoked: float
    returned: float
    register: str | None = None
    items: tuple | None = None


@dataclasses.dataclass(frozen=True)
class Commit:
    """One commit of a node's journal: what it set the register to, from which value, and what it appended to the list."""

    position: int
    hash: str
    commit: str | None = None
    register: tuple | None = None
    appended: str | None = None


@dataclasses.dataclass
class History:
    """A whole run. `journals` has the commits of each node, `forks` the first differing position of each forked one."""

    operations: list
    reads: list
    journals: dict
    forks: dict = dataclasses.field(default_factory=dict)
    servers_lost_messages: bool = False
    first_value: str | None = None
