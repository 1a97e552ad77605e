"""Reads the tables of an LMDB data file, without LMDB: the file of version 1 on 64-bit machines, as `mdb.c` of LMDB 0.9 describes it.

A file is a sequence of pages. Each begins with a header: page number (8), padding (2), flags (2), then the ends of the free space, lower and
upper (2 each), or for an overflow page the number of its pages (4). Pages 0 and 1 are meta pages; the one with the greater transaction is valid.
A branch or leaf page has `(lower - 16) / 2` offsets (2 each) of its nodes behind the header. A node begins with two halves of the size of its data
(2 each), flags (2), and the size of its key (2). All numbers have the byte order of the machine, here little-endian.
"""

import struct

HEADER = 16
MAGIC, VERSION = 0xBEEFC0DE, 1
BRANCH, LEAF, OVERFLOW, META = 0x01, 0x02, 0x04, 0x08
BIG_DATA, TABLE, DUPLICATES = 0x01, 0x02, 0x04
NO_ROOT = (1 << 64) - 1


class LMDBFile:
    """The tables of the last committed transaction of a file that no process writes."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        # Of a free-list table, the first number is the size of a page.
        self.page_size = struct.unpack_from("<I", self.bytes, HEADER + 24)[0]
        metas = [self._meta(number * self.page_size) for number in (0, 1)]
        self.transaction, root = max(metas)
        self.roots = {key.decode(): struct.unpack_from("<Q", self.bytes, place + 40)[0] for key, place, _, flags in self._nodes(root) if flags & TABLE}

    def _meta(self, start):
        (flags,) = struct.unpack_from("<H", self.bytes, start + 10)
        magic, version = struct.unpack_from("<II", self.bytes, start + HEADER)
        assert flags & META and magic == MAGIC and version == VERSION, "no meta page of LMDB"
        # Magic, version, address, size of the map, two tables of 48 bytes (free list and main), last page, transaction.
        (root,) = struct.unpack_from("<Q", self.bytes, start + HEADER + 24 + 48 + 40)
        (transaction,) = struct.unpack_from("<Q", self.bytes, start + HEADER + 24 + 96 + 8)
        return transaction, root

    def _nodes(self, page):
        """Yields (key, place and size of the value, flags) of all leaves below a page, in the order of the keys."""
        if page == NO_ROOT:
            return
        start = page * self.page_size
        number, _, flags, lower = struct.unpack_from("<QHHH", self.bytes, start)
        assert number == page and flags & (BRANCH | LEAF), f"page {page} is none of a table"
        for offset in struct.unpack_from(f"<{(lower - HEADER) // 2}H", self.bytes, start + HEADER):
            node = start + offset
            low, high, flags_of_node, key_size = struct.unpack_from("<HHHH", self.bytes, node)
            key = self.bytes[node + 8 : node + 8 + key_size]
            if flags & BRANCH:
                yield from self._nodes(low | high << 16 | flags_of_node << 32)
                continue
            assert not flags_of_node & DUPLICATES, "keys with several values are not expected"
            size, place = low | high << 16, node + 8 + key_size
            if flags_of_node & BIG_DATA:
                (overflow,) = struct.unpack_from("<Q", self.bytes, place)
                place = overflow * self.page_size + HEADER
            yield key, place, size, flags_of_node

    def rows(self, table):
        """Yields (key, value) of a table in the order of the keys; none if the file lacks the table."""
        for key, place, size in self.places(table):
            yield key, self.bytes[place : place + size]

    def places(self, table):
        """Yields (key, place and size of the value in the file) of a table."""
        if table in self.roots:
            for key, place, size, _ in self._nodes(self.roots[table]):
                yield key, place, size
