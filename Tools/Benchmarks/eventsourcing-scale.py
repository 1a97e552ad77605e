"""Times one projection of the Python library `eventsourcing` on SQLite, for scale beside the job `derived-rebuild`.

    pip install eventsourcing
    python eventsourcing-scale.py [EVENTS]

Each event changes the score of one of 10,000 aggregates. The projection adds it to one of 10,000 rows of counts, in a
table of the same database, each event in a transaction of its own with its position, as the library does it. Its reader
of pages of events is used, because its subscriptions need PostgreSQL. Printed is the time of one event: written, each in
a transaction, and applied by the projection.
"""

import sys
import tempfile
import time
import uuid

from eventsourcing.application import Application
from eventsourcing.dispatch import singledispatchmethod
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import InfrastructureFactory, Tracking
from eventsourcing.projection import Projection
from eventsourcing.sqlite import SQLiteTrackingRecorder
from eventsourcing.utils import Environment

OBJECTS = 10_000


class Item(Aggregate):
    """An object with a score."""

    @event("Created")
    def __init__(self, row):
        self.row = row
        self.score = 0

    class Scored(Aggregate.Event):
        score: int
        row: int

    @event(Scored)
    def change(self, score, row):
        self.score = score


class Items(Application[uuid.UUID]):
    """The store of the items."""

    log_section_size = 1_000


class Counts(SQLiteTrackingRecorder):
    """The rows that the projection keeps."""

    def construct_create_table_statements(self):
        return [*super().construct_create_table_statements(), "CREATE TABLE IF NOT EXISTS counts (row INTEGER PRIMARY KEY, number INTEGER, score INTEGER)"]

    def add(self, row, score, tracking):
        with self.datastore.transaction(commit=True) as cursor:
            self._insert_tracking(cursor, tracking)
            cursor.execute("INSERT INTO counts VALUES (?, 1, ?) ON CONFLICT (row) DO UPDATE SET number = number + 1, score = excluded.score", (row, score))

    def rows(self):
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT count(*), sum(number) FROM counts")
            return tuple(cursor.fetchone())


class CountsProjection(Projection[Counts]):
    """Adds each event to its row."""

    name = "counts"
    topics = ()

    @singledispatchmethod
    def process_event(self, domain_event, tracking: Tracking):
        """Ignores the other events."""

    @process_event.register
    def scored(self, domain_event: Item.Scored, tracking: Tracking):
        self.view.add(domain_event.row, domain_event.score, tracking)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    with tempfile.TemporaryDirectory() as directory:
        environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{directory}/items.sqlite"}
        application = Items(env=environment)
        items = [Item(row) for row in range(OBJECTS)]
        application.save(*items)
        begin = time.perf_counter()
        for number in range(count):
            item = items[number % OBJECTS]
            item.change(number, item.row)
            application.save(item)
        written = time.perf_counter() - begin
        begin = time.perf_counter()
        factory = InfrastructureFactory.construct(Environment(name="items", env=environment))
        view = factory.tracking_recorder(Counts)
        projection = CountsProjection(view=view)
        start = 1
        while notifications := application.notification_log.select(start=start, limit=1_000):
            for notification in notifications:
                tracking = Tracking(application.name, notification.id)
                projection.process_event(application.mapper.to_domain_event(notification), tracking)
            start = notifications[-1].id + 1
        applied = time.perf_counter() - begin
        rows, total = view.rows()
        application.close()
    if (rows, total) != (min(count, OBJECTS), count):
        sys.exit(f"the projection has {rows} rows of {total} events, of {count}")
    print(f"{count} events: {written / count * 1e6:.0f} us to write one, {applied / count * 1e6:.0f} us to apply one")


if __name__ == "__main__":
    main()
