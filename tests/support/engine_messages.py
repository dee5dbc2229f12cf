"""The messages of lib/protocol/messages.hpp, as far as tests read and write them."""
import struct

HEADER = struct.Struct("<4sHHIQ")
VERSION = 11
PROBLEM, REORDER_ANSWER = 0, 6


def number(value):
    """LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def message(kind, body, version=VERSION, size=None):
    return HEADER.pack(b"kith", version, kind, 0, len(body) if size is None else size) + body


def reorder_answer(new_rank, reason="so"):
    """An order that is to be applied."""
    body = b"".join((number(0), number(1), number(0), text(reason), text(""), bytes(16), number(0),
                     bytes(16), number(len(new_rank)), *map(number, new_rank)))
    return message(REORDER_ANSWER, body)


def threads_of_answers(stream):
    """The number of threads in each answer about an order, in a stream of messages."""
    found = []
    while stream:
        _, _, kind, _, size = HEADER.unpack_from(stream)
        if kind == REORDER_ANSWER:
            found.append(stream[HEADER.size])  # below 128: one byte
        stream = stream[HEADER.size + size:]
    return found
