"""The checker accepts what happened in one order, and rejects each planted violation."""

import itertools
import os
import random

import pytest

from checker import chain_findings, findings, real_time_findings
from history import Commit, History, Operation, Outcome, Read

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))
NODES = (1, 2, 3)


def sound_history(generator, count=40):
    """Makes the history of a correct cluster: each write takes effect at a moment between its beginning and its end."""
    operations, commits, reads = [], [Commit(1, "h1"), Commit(2, "h2")], []
    register, items = "first", []
    for number in range(count):
        moment = float(number + 3)
        writes = generator.random() < 0.5
        operation = Operation(
            f"c{number}", f"w{number % 12}", "write" if writes else "append", f"v{number}", moment - generator.uniform(0, 5), node=generator.choice(NODES)
        )
        fate = generator.random()
        operations.append(operation)
        if fate < 0.1:
            operation.outcome, operation.returned = Outcome.REFUSED, moment + generator.uniform(0, 5)
            continue
        if fate < 0.85:
            operation.outcome, operation.returned = Outcome.ACKNOWLEDGED, moment + generator.uniform(0, 5)
        position = len(commits) + 1
        operation.position = position if operation.returned else None
        commits.append(Commit(position, f"h{position}", operation.commit, (register, operation.value) if writes else None, None if writes else operation.value))
        if writes:
            register = operation.value
        else:
            items.append(operation.value)
        if generator.random() < 0.3:
            reads.append(Read(generator.choice(NODES), position, moment, moment, register, tuple(items)))
    return History(operations, reads, {node: list(commits) for node in NODES}, first_value="first")


def acknowledged(history, kind):
    return next(it for it in history.operations if it.outcome is Outcome.ACKNOWLEDGED and it.kind == kind and it.position > 12)


def kinds(history):
    return {finding.kind for finding in findings(history)}


@pytest.fixture
def history():
    print(f"\nDAYBOOK_SEED={SEED}")
    return sound_history(random.Random(SEED), 80)


def renumbered(commits):
    return [Commit(number, f"h{number}", it.commit, it.register, it.appended) for number, it in enumerate(commits, 1)]


def test_sound_histories_are_accepted():
    print(f"\nDAYBOOK_SEED={SEED}")
    for seed in range(SEED, SEED + 300):
        assert findings(sound_history(random.Random(seed))) == [], f"DAYBOOK_SEED={seed}"


@pytest.mark.parametrize("kind", ["append", "write"])
def test_a_lost_commit_is_rejected(history, kind):
    gone = acknowledged(history, kind)
    journal = renumbered(it for it in history.journals[1] if it.commit != gone.commit)
    history.journals = dict.fromkeys(NODES, journal)
    assert "lost" in kinds(history)


def test_a_commit_that_one_node_lacks_at_its_end_is_rejected(history):
    history.journals[2] = history.journals[2][:-1]
    assert "behind" in kinds(history)


@pytest.mark.parametrize("kind", ["append", "write"])
def test_a_doubled_commit_is_rejected(history, kind):
    twice = next(it for it in history.journals[1] if it.commit == acknowledged(history, kind).commit)
    journal = renumbered([*history.journals[1], twice])
    history.journals = dict.fromkeys(NODES, journal)
    assert "doubled" in kinds(history)


def test_an_append_that_took_effect_under_two_ids_is_rejected(history):
    twice = next(it for it in history.journals[1] if it.appended)
    journal = [*history.journals[1], Commit(len(history.journals[1]) + 1, "h", "another", None, twice.appended)]
    history.journals = dict.fromkeys(NODES, journal)
    assert "doubled" in kinds(history)


def test_two_orders_on_two_nodes_are_rejected(history):
    journal = history.journals[3]
    history.journals[3] = [*journal[:10], *(Commit(it.position, f"other{it.position}", it.commit, it.register, it.appended) for it in journal[10:])]
    assert "orders" in kinds(history)


def test_an_order_of_values_that_differs_from_the_positions_is_rejected(history):
    writes = [index for index, it in enumerate(history.journals[1]) if it.register]
    first, second = writes[4], writes[5]
    journal = list(history.journals[1])
    swapped = journal[first].register, journal[second].register
    for index, values in zip((second, first), swapped, strict=True):
        it = journal[index]
        journal[index] = Commit(it.position, it.hash, it.commit, values, None)
    history.journals = dict.fromkeys(NODES, journal)
    assert "orders" in kinds(history)


def test_two_writes_that_found_the_same_value_are_rejected(history):
    writes = [index for index, it in enumerate(history.journals[1]) if it.register]
    journal = list(history.journals[1])
    it = journal[writes[6]]
    journal[writes[6]] = Commit(it.position, it.hash, it.commit, (journal[writes[5]].register[0], it.register[1]), None)
    history.journals = dict.fromkeys(NODES, journal)
    assert "orders" in kinds(history)


def test_an_acknowledgement_with_another_position_is_rejected(history):
    acknowledged(history, "append").position += 1
    assert "orders" in kinds(history)


def test_a_stale_acknowledgement_is_rejected(history):
    """A write was acknowledged before an earlier one in the order had been sent."""
    late = history.operations[-1]
    late.outcome, late.position = Outcome.UNKNOWN, None
    order = sorted((it for it in history.operations if it.outcome is Outcome.ACKNOWLEDGED), key=lambda it: it.position)
    order[10].invoked, order[10].returned = 500.0, 501.0
    assert "stale" in kinds(history)


def test_a_read_behind_an_acknowledgement_of_the_same_node_is_rejected(history):
    operation = acknowledged(history, "append")
    register, items = "first", []
    for entry in history.journals[1][: operation.position - 1]:
        register = entry.register[1] if entry.register else register
        items += [entry.appended] if entry.appended else []
    moment = operation.returned + 0.001
    history.reads = [Read(operation.node, operation.position - 1, moment, moment, register, tuple(items))]
    assert kinds(history) == {"stale"}


def test_a_read_that_does_not_show_its_position_is_rejected(history):
    read = history.reads[-1]
    history.reads[-1] = Read(read.node, read.position, read.invoked, read.returned, read.register, read.items[1:])
    assert kinds(history) == {"read"}


def test_a_refused_write_that_took_effect_is_rejected(history):
    operation = acknowledged(history, "write")
    operation.outcome = Outcome.REFUSED
    assert kinds(history) == {"refused"}


def test_a_condition_that_did_not_hold_is_rejected(history):
    writes = [it for it in history.operations if it.outcome is Outcome.ACKNOWLEDGED and it.kind == "write"]
    writes[5].since = writes[5].position - 1
    assert findings(history) == []
    writes[5].since = writes[2].position
    assert kinds(history) == {"condition"}


def forked(history, position):
    """Node 3 has other commits from a position on; its last own one was acknowledged."""
    tail = [Commit(it.position, f"fork{it.position}", f"f{it.position}") for it in history.journals[3][position - 1 :]]
    history.journals[3] = [*history.journals[3][: position - 1], *tail]
    last = tail[-1]
    history.operations.append(Operation(last.commit, "w", "append", "x", 1, 2, Outcome.ACKNOWLEDGED, last.position, 3))
    history.reads = []


def test_a_fork_is_accepted_only_if_it_is_reported_and_servers_lost_messages(history):
    forked(history, 20)
    assert "orders" in kinds(history)
    history.forks = {3: 20}
    assert {"orders", "lost"} <= kinds(history)
    history.servers_lost_messages = True
    assert kinds(history) == set()


def test_a_fork_that_is_reported_elsewhere_than_it_is_is_rejected(history):
    forked(history, 20)
    history.forks, history.servers_lost_messages = {3: 23}, True
    assert "orders" in kinds(history)


def test_a_commit_in_no_journal_is_lost_even_if_servers_lost_messages(history):
    history.servers_lost_messages = True
    history.operations.append(Operation("nowhere", "w", "append", "x", 900, 901, Outcome.ACKNOWLEDGED, 7, 1))
    assert kinds(history) == {"lost"}


def is_linearizable(steps):
    """Tries all orders of (old value, new value, invoked, returned) as a register that began as "0"."""
    for order in itertools.permutations(steps):
        value, latest = "0", float("-inf")
        for old, new, invoked, returned in order:
            if old != value or returned < latest:
                break
            value, latest = new, max(latest, invoked)
        else:
            return True
    return False


def test_the_verdict_on_small_histories_is_the_one_of_all_orders():
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    verdicts = set()
    for _ in range(3_000):
        count = generator.randint(1, 5)
        olds = ["0"] + [str(number) for number in range(1, count)]
        if generator.random() < 0.4:
            olds[generator.randrange(count)] = str(generator.randint(0, count))
        steps = []
        for number, old in enumerate(olds, 1):
            invoked = number + generator.uniform(-2, 0)
            steps.append((old, str(number), invoked, invoked + generator.uniform(0, 2.5)))
        expected = is_linearizable(steps)
        # The claimed order is that of the values where they form one; the checker may use nothing else.
        entries = [Commit(number, "h", str(number), step[:2]) for number, step in enumerate(steps, 1)]
        operations = [Operation(str(number), "w", "write", step[1], step[2], step[3]) for number, step in enumerate(steps, 1)]
        verdict = not [*chain_findings(entries, "0"), *real_time_findings(operations)]
        assert verdict == expected, steps
        verdicts.add(verdict)
    assert verdicts == {True, False}
