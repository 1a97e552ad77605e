"""Writes numbers, fields and terms as bytes, by docs/file-format.md alone."""

import hashlib
import struct
import uuid

from journal import Bytes, decimal_text

MASK = (1 << 64) - 1


def varint(number):
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data) + bytes([number])


def zigzag(number):
    return varint((number << 1 ^ number >> 63) & MASK)


def escaped(data):
    return data.replace(b"\0", b"\0\xff") + b"\0\0"


def payload(stored):
    """Returns the payload of a field."""
    form, value = stored
    if form == 1:
        return zigzag(value)
    if form == 2:
        return struct.pack(">d", value)
    if form == 3:
        return value.to_bytes(8, "big", signed=True)
    if form in (6, 7, 9):
        data = value.encode() if form == 6 else value
        return varint(len(data)) + data
    if form in (8, 10):
        return uuid.UUID(value).bytes
    if form == 12:
        return value[0] + value[1].to_bytes(8, "big")
    assert form in (0, 4, 5), form
    return b""


def field(tag, stored):
    return varint(tag << 4 | stored[0]) + payload(stored)


def digest_identity(data):
    """Returns the identity that is made from a digest: a UUID of version 8."""
    digest = bytearray(hashlib.sha256(data).digest()[:16])
    digest[6], digest[8] = digest[6] & 15 | 0x80, digest[8] & 63 | 0x80
    return bytes(digest)


def natural(text):
    """Returns the collation key of `natural`."""
    key, place = b"", 0
    data = text.encode()
    while place < len(data):
        end = place
        while end < len(data) and 48 <= data[end] <= 57:
            end += 1
        if end == place:
            key += data[place : place + 1]
            place += 1
            continue
        digits = data[place:end].lstrip(b"0")
        key += b"0" + b"\xff" * (len(digits) // 255) + bytes([len(digits) % 255]) + digits
        place = end
    return key


def collated(text, order):
    if order == "natural":
        return natural(text)
    assert order == "caseInsensitive", order
    return "".join(character.lower() for character in text).encode()


def decimal_term(data):
    """Returns the term of a decimal's payload."""
    text = decimal_text(data)
    is_negative = text.startswith("-")
    reader = Bytes(data)
    reader.byte()
    exponent, coefficient = reader.zigzag(), int.from_bytes(reader.rest(), "big")
    if not coefficient:
        return b"\1"
    digits = str(coefficient)
    magnitude = (len(digits) + exponent + 32_768).to_bytes(2, "big") + bytes(int(digit) + 1 for digit in digits) + b"\0"
    return b"\0" + complement(magnitude) if is_negative else b"\2" + magnitude


def complement(data):
    return bytes(255 - byte for byte in data)


def term(stored, order=None, is_descending=False):
    """Returns the encoded term of a stored value."""
    form, value = stored
    if form == 0:
        data = b"\0"
    elif form in (1, 3):
        data = b"\1" + ((value + (1 << 63)) & MASK).to_bytes(8, "big")
    elif form == 2:
        (bits,) = struct.unpack(">Q", struct.pack(">d", value))
        data = b"\1" + ((bits ^ MASK) if bits >> 63 else bits | 1 << 63).to_bytes(8, "big")
    elif form in (4, 5):
        data = b"\1" + bytes([form - 4])
    elif form == 12 or (form == 7 and len(value) > 65_536):
        data = b"\2" + (value[0] if form == 12 else hashlib.sha256(value).digest())
    elif form in (6, 7):
        raw = value.encode() if form == 6 else value
        key = escaped(collated(value, order)) if order not in (None, "codepoint") else b""
        data = b"\1" + key + escaped(raw)
    elif form in (8, 10):
        data = b"\1" + uuid.UUID(value).bytes
    elif form == 11:
        data = b"\1" + uuid.UUID(value[0]).bytes
    else:
        assert form == 9, form
        data = b"\1" + decimal_term(value)
    return complement(data) if is_descending else data
