"""Asyncio without TLS until `ssl` is imported, in processes of their own: pytest has imported both."""

import subprocess
import sys
from pathlib import Path

from tests.terminal.pty import Pty

PUT_OFF = """
import sys
from tracker.app.deferred_ssl import put_off
put_off()
import asyncio
import textual.app
assert not {"ssl", "_ssl"} & sys.modules.keys(), "ssl was imported"
"""

SAY_A_WORD_OVER_TLS = """
import ssl

def unsigned(protocol):
    context = ssl.SSLContext(protocol)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AECDH:@SECLEVEL=0")  # encrypted, without a certificate
    return context

async def main():
    async def answer(reader, writer):
        writer.write(await reader.readline())
        writer.close()
    host = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=unsigned(ssl.PROTOCOL_TLS_SERVER))
    port = host.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=unsigned(ssl.PROTOCOL_TLS_CLIENT))
    writer.write(b"word\\n")
    print(writer.get_extra_info("cipher")[0], (await reader.readline()).decode().strip())
    writer.close()

asyncio.run(main())
"""


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_textual_is_imported_without_ssl_and_an_import_of_it_brings_encryption_back() -> None:
    done = python(PUT_OFF + SAY_A_WORD_OVER_TLS)
    assert (done.stdout.split(), done.stderr) == (["AECDH-AES256-SHA", "word"], "")


def test_nothing_is_put_off_once_asyncio_or_ssl_is_imported() -> None:
    for first in ("asyncio", "ssl"):
        done = python(f"import {first}\nfrom tracker.app.deferred_ssl import put_off\nput_off()\nimport asyncio, ssl\n")
        assert done.stderr == ""
        done = python(
            f"import {first}, sys\nfrom tracker.app.deferred_ssl import put_off\nput_off()\nprint(len(sys.meta_path))"
        )
        plain = python("import sys\nprint(len(sys.meta_path))")
        assert done.stdout == plain.stdout


def test_app_runs_without_openssl(tmp_path: Path) -> None:
    with Pty([sys.executable, "-m", "tracker", "--saves", str(tmp_path)], colours=False) as program:
        program.wait_for("Quit")
        files = Path(f"/proc/{program.pid}/maps").read_text()
        assert "python" in files
        assert "/_ssl." not in files
