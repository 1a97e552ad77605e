"""Judges histories of a cluster: nothing lost, nothing doubled, one order, and writes that are linearizable.

Positions are the order that the store claims. The checker does not trust them alone: the register's old values and the
list's contents, which the commits recorded, determine an order of their own, and that order must be the claimed one. An
order is a linearization if no write stands before another one that was acknowledged before the first was sent. Reads are
local and may be behind, so they need not be linearizable: each must show the state of its position, and a node never goes
back, nor behind what it acknowledged.
"""

import collections
import dataclasses

from history import Outcome


@dataclasses.dataclass(frozen=True)
class Finding:
    """A violation: `lost`, `doubled`, `orders`, `stale`, `refused`, `condition`, `read` or `behind`, with what it is about."""

    kind: str
    text: str

    def __str__(self):
        return f"{self.kind}: {self.text}"


def findings(history):
    """Returns all violations of a history."""
    return [*agreement(history), *acknowledgements(history), *refusals(history), *linearization(history), *reads(history)]


def main_journal(history):
    """Returns the longest journal of the nodes that are not forked."""
    journals = [journal for node, journal in history.journals.items() if node not in history.forks]
    return max(journals, key=len, default=[])


def agreement(history):
    """Positions are 1, 2, 3 ... on every node, hashes are equal at equal positions, and all nodes have the same head."""
    main = main_journal(history)
    for node, journal in sorted(history.journals.items()):
        positions = [commit.position for commit in journal]
        if positions != list(range(1, len(journal) + 1)):
            yield Finding("orders", f"node {node} has the positions {positions[:20]}...")
            continue
        differing = next((ours.position for ours, other in zip(journal, main, strict=False) if ours.hash != other.hash), None)
        fork = history.forks.get(node)
        if fork is None and differing is not None:
            yield Finding("orders", f"node {node} has another hash at position {differing} and reports no fork")
        elif fork is not None and differing is not None and differing != fork:
            yield Finding("orders", f"node {node} reports a fork at {fork}, and its hashes differ from {differing}")
        if fork is None and len(journal) < len(main):
            yield Finding("behind", f"node {node} has {len(journal)} of {len(main)} commits")
        if fork is not None and not history.servers_lost_messages:
            yield Finding("orders", f"node {node} reports a fork at {fork}, and the servers lost nothing")
        for commit, count in collections.Counter(entry.commit for entry in journal if entry.commit).items():
            if count > 1:
                yield Finding("doubled", f"node {node} has the commit {commit} {count} times")


def acknowledgements(history):
    """Each acknowledged commit is at its position on every node, or in a reported fork after servers lost messages."""
    places = {node: {entry.commit: entry.position for entry in journal if entry.commit} for node, journal in history.journals.items()}
    for operation in history.operations:
        if operation.outcome is not Outcome.ACKNOWLEDGED:
            continue
        wrong = [node for node, place in sorted(places.items()) if place.get(operation.commit) != operation.position]
        unexplained = [node for node in wrong if node not in history.forks]
        kept = [node for node, fork in history.forks.items() if node not in wrong and operation.position >= fork]
        if not wrong or (history.servers_lost_messages and kept):
            continue
        if history.servers_lost_messages and not unexplained and all(operation.position >= history.forks[node] for node in wrong):
            continue
        node = (unexplained or wrong)[0]
        place = places[node].get(operation.commit)
        if place is None:
            yield Finding("lost", f"{operation} is not on node {node}")
        else:
            yield Finding("orders", f"{operation} is at {place} on node {node}")


def refusals(history):
    """No journal has a commit of which its client was told that it was not done."""
    for operation in history.operations:
        if operation.outcome is Outcome.REFUSED:
            for node, journal in sorted(history.journals.items()):
                place = next((entry.position for entry in journal if entry.commit == operation.commit), None)
                if place is not None:
                    yield Finding("refused", f"{operation} is at {place} on node {node}")


def linearization(history):
    """The effects in the journal form one order, and that order agrees with the real time of the writes."""
    main = main_journal(history)
    operations = {operation.commit: operation for operation in history.operations}
    known = [(entry, operations[entry.commit]) for entry in main if entry.commit in operations]
    yield from chain_findings([entry for entry, _ in known if entry.register], history.first_value)
    appended = collections.Counter(entry.appended for entry in main if entry.appended)
    for item, count in appended.items():
        if count > 1:
            yield Finding("doubled", f"{item} was appended {count} times")
    yield from real_time_findings([operation for _, operation in known])
    touched = [entry.position for entry in main if entry.register]
    for entry, operation in known:
        if operation.since is not None:
            between = [position for position in touched if operation.since < position < entry.position]
            if between:
                yield Finding("condition", f"{operation} was to hold since {operation.since}, and {between[0]} changed the register")


def chain_findings(entries, first):
    """Orders the register's writes by the values that they found and left, and compares with their positions."""
    after = collections.defaultdict(list)
    for entry in entries:
        after[entry.register[0]].append(entry)
    for value, successors in after.items():
        if len(successors) > 1:
            yield Finding("orders", f"{len(successors)} writes found the value {value}: at {[entry.position for entry in successors]}")
            return
    chain, value = [], first
    while after.get(value) and len(chain) < len(entries):
        chain.append(after[value][0])
        value = chain[-1].register[1]
    if len(chain) < len(entries):
        missing = next(entry for entry in entries if entry not in chain)
        yield Finding("orders", f"no write left the value {missing.register[0]}, which the write at {missing.position} found")
        return
    positions = [entry.position for entry in chain]
    if positions != sorted(positions):
        yield Finding("orders", f"by its values the register was written in the order {positions[:20]}")


def real_time_findings(order):
    """No write stands before another one that was acknowledged before the first was sent."""
    latest = None
    for operation in order:
        if latest is not None and operation.returned is not None and operation.returned < latest.invoked:
            yield Finding("stale", f"{operation} was acknowledged before {latest} was sent, and stands after it")
        if latest is None or operation.invoked > latest.invoked:
            latest = operation


def reads(history):
    """Each read shows the state of its position; no node goes back, nor behind what it acknowledged before."""
    for node, journal in sorted(history.journals.items()):
        states = _states(journal, history.first_value)
        own = sorted((read for read in history.reads if read.node == node), key=lambda read: read.invoked)
        for read in own:
            if read.position >= len(states):
                yield Finding("read", f"node {node} answered at {read.position}, and its journal ends at {len(states) - 1}")
                continue
            register, count, items = states[read.position]
            if read.register is not None and read.register != register:
                yield Finding("read", f"node {node} read {read.register} at {read.position}, where the register is {register}")
            if read.items is not None and read.items != tuple(items[:count]):
                yield Finding("read", f"node {node} read a list of {len(read.items)} at {read.position}, which is not the first {count} appended")
        yield from _session_findings(
            node, own, [operation for operation in history.operations if operation.node == node and operation.outcome is Outcome.ACKNOWLEDGED]
        )


def _states(journal, first):
    """Returns the register's value and the list's length at each position, and the whole list with each."""
    register, count, items = first, 0, [entry.appended for entry in journal if entry.appended]
    states = [(register, count, items)]
    for entry in journal:
        register = entry.register[1] if entry.register else register
        count += 1 if entry.appended else 0
        states.append((register, count, items))
    return states


def _session_findings(node, own, acknowledged):
    """What a node showed or acknowledged before a read was sent is not after the read's position."""
    seen = sorted([(read.returned, read.position) for read in own] + [(operation.returned, operation.position) for operation in acknowledged])
    index, highest = 0, 0
    for read in own:
        while index < len(seen) and seen[index][0] < read.invoked:
            highest = max(highest, seen[index][1])
            index += 1
        if read.position < highest:
            yield Finding("stale", f"node {node} read at {read.position} after it had shown or acknowledged {highest}")
