"""A small client of NATS: requests, and the parts of JetStream's interface that the tests need.

The tests observe a stream independently of the library that they test, so this client shares nothing with it. The text
protocol is described at https://docs.nats.io/reference/reference-protocols/nats-protocol, the interface of JetStream at
https://docs.nats.io/reference/reference-protocols/nats_api_reference.
"""

import base64
import json
import secrets
import socket
import time


class NatsError(Exception):
    """A server could not be reached, did not answer in time, or refused a request."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


NO_MESSAGE = 10037
WRONG_LAST_SEQUENCE = (10071, 10164)


class Connection:
    """A connection to the first of several ports on loopback that accepts one; it is used by one thread."""

    def __init__(self, ports, seconds=2):
        self.socket = None
        for port in ports:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
                break
            except OSError:
                continue
        if self.socket is None:
            raise NatsError(f"no server accepts connections at {ports}")
        self.port = port
        self.buffer = b""
        self.inbox = f"_INBOX.{secrets.token_hex(8)}"
        self.count = 0
        end = time.monotonic() + seconds
        self._line(end)
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "python", "version": "1", "protocol": 1}
        self._send(f"CONNECT {json.dumps(options)}\r\nSUB {self.inbox}.* 1\r\nPING\r\n".encode())
        while self._line(end) != b"PONG":
            pass

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def request(self, subject, payload=b"", headers=None, seconds=2):
        """Returns the payload of the first answer; raises `NatsError` if there is none in time."""
        self.count += 1
        reply = f"{self.inbox}.{self.count}"
        if headers:
            head = ("NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n").encode()
            self._send(f"HPUB {subject} {reply} {len(head)} {len(head) + len(payload)}\r\n".encode() + head + payload + b"\r\n")
        else:
            self._send(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")
        end = time.monotonic() + seconds
        while True:
            received, head, body = self._message(end)
            if received != reply:
                continue
            if head.startswith(b"NATS/1.0 503"):
                raise NatsError(f"nothing answers {subject}")
            return body

    def api(self, name, value=None, seconds=2):
        """Returns the answer of JetStream's interface; raises `NatsError` with the code of its error."""
        answer = json.loads(self.request(f"$JS.API.{name}", b"" if value is None else json.dumps(value).encode(), seconds=seconds))
        if "error" in answer:
            error = answer["error"]
            raise NatsError(f"{name}: {error.get('description')}", error.get("err_code"))
        return answer

    def message(self, stream, sequence):
        """Returns headers and payload of a message, or `None` if the stream has none with that sequence."""
        try:
            message = self.api(f"STREAM.MSG.GET.{stream}", {"seq": sequence})["message"]
        except NatsError as error:
            if error.code == NO_MESSAGE:
                return None
            raise
        return base64.b64decode(message.get("hdrs", "")), base64.b64decode(message.get("data", ""))

    def publish(self, subject, payload, headers, seconds=2):
        """Publishes to a stream and returns the acknowledgement; raises `NatsError` if it is refused or not answered."""
        answer = json.loads(self.request(subject, payload, headers, seconds))
        if "error" in answer:
            error = answer["error"]
            raise NatsError(error.get("description"), error.get("err_code"))
        return answer

    def _send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise NatsError(str(error)) from error

    def _fill(self, end):
        left = end - time.monotonic()
        if left <= 0:
            raise NatsError("no answer in time")
        self.socket.settimeout(left)
        try:
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise NatsError(str(error) or "no answer in time") from error
        if not data:
            raise NatsError("the server closed the connection")
        self.buffer += data

    def _line(self, end):
        while b"\r\n" not in self.buffer:
            self._fill(end)
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        if line.startswith(b"-ERR"):
            raise NatsError(line.decode(errors="replace"))
        return line

    def _bytes(self, count, end):
        while len(self.buffer) < count:
            self._fill(end)
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _message(self, end):
        while True:
            line = self._line(end)
            if line == b"PING":
                self._send(b"PONG\r\n")
                continue
            words = line.decode(errors="replace").split()
            if not words or words[0] not in ("MSG", "HMSG"):
                continue
            # Between the subscription and the sizes the address for an answer may be left out; two spaces may be in its place.
            total = int(words[-1])
            head_size = int(words[-2]) if words[0] == "HMSG" else 0
            data = self._bytes(total + 2, end)[:total]
            return words[1], data[:head_size], data[head_size:]
