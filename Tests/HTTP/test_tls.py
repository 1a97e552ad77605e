"""TLS: the versions that the server takes, and a stream over an update of its keys."""

import select
import socket
import ssl
import subprocess
import time

import pytest
import requests

from daybook import Store, WritingServer


@pytest.fixture
def certificate(tmp_path):
    """Returns the paths of a self-signed certificate and its key."""
    paths = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-out",
            paths[0],
            "-keyout",
            paths[1],
        ],
        check=True,
        capture_output=True,
    )
    return paths


@pytest.fixture
def encrypted(tmp_path, certificate):
    server = WritingServer(Store.recipes(tmp_path), "--certificate", str(certificate[0]), "--key", str(certificate[1]))
    yield server
    server.stop()


def handshake(server, version):
    """Returns the version that the server agrees to, if the client has this one alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # Else the client itself would not offer the old versions.
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection, context.wrap_socket(connection) as client:
        return client.version()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_versions_are_refused(encrypted):
    for version in [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1]:
        with pytest.raises(ssl.SSLError) as refusal:
            handshake(encrypted, version)
        # The alert of the server (RFC 8996).
        assert refusal.value.reason == "TLSV1_ALERT_PROTOCOL_VERSION"
    assert handshake(encrypted, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
    assert handshake(encrypted, ssl.TLSVersion.TLSv1_3) == "TLSv1.3"


def read(client, part, seconds=30):
    """Reads what `openssl` prints, up to a text."""
    text, end = b"", time.monotonic() + seconds
    while part not in text:
        assert select.select([client.stdout], [], [], max(0, end - time.monotonic()))[0], f"no {part} in {text[-2000:]}"
        piece = client.stdout.read1(1 << 16)
        assert piece, f"the connection ended: {text[-2000:]}"
        text += piece
    return text


def test_a_stream_lasts_over_an_update_of_keys(encrypted, certificate):
    # Without -quiet, a line that begins with K updates the keys of both sides (RFC 8446, 4.6.3).
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{encrypted.port}", "-tls1_3", "-CAfile", str(certificate[0])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as client:
        try:

            def send(text):
                client.stdin.write(text.encode())
                client.stdin.flush()

            read(client, b"Verify return code: 0")
            send(f"GET /api/changes/Recipe HTTP/1.1\r\nHost: 127.0.0.1:{encrypted.port}\r\n\r\n")
            read(client, b"event: state")
            for number in range(3):
                send("K\n")
                read(client, b"KEYUPDATE")
                answer = requests.post(
                    f"{encrypted.address}/api/commits",
                    json={"insert": "Recipe", "values": {"name": f"Cake {number}"}},
                    headers={"Authorization": f"Bearer {encrypted.token}"},
                    verify=str(certificate[0]),
                    timeout=20,
                )
                assert answer.status_code == 201
                read(client, f"Cake {number}".encode())
        finally:
            client.kill()
