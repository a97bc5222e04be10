"""The server process: how it is found, started and stopped."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Optional, Sequence

_POLL_SECONDS = 0.01


class StartError(Exception):
    """The server could not be started. The message has its output."""


class OrchServer:
    """A running server with a data directory of its own, which `stop` deletes."""

    def __init__(self, process: subprocess.Popen, directory: Path) -> None:
        self._process = process
        self._directory = directory

    @property
    def kubeconfig_path(self) -> str:
        """The kubeconfig of a cluster administrator."""
        return str(self._directory / "data" / "kubeconfig")

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def __enter__(self) -> "OrchServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def start(
    flags: Sequence[str] = (),
    command: Optional[Sequence[str]] = None,
    timeout_seconds: float = 30,
) -> OrchServer:
    """Starts a server on a free port of loopback, with memory storage, and waits until it is ready.

    `flags` are further flags of `orch serve`. `command` starts Orch: by default the environment variable ORCH, or `orch`
    in the PATH, or `npx orch`.
    """
    directory = Path(tempfile.mkdtemp(prefix="orchtest-"))
    output = directory / "output"
    words = [
        *(command or _command()),
        "serve",
        "--dialect=kubernetes",
        "--storage=memory",
        "--bind-address=127.0.0.1",
        "--secure-port=auto",
        f"--data-dir={directory / 'data'}",
        *flags,
    ]
    environment = {**os.environ, "ORCH_END_WITH_STDIN": "1"}
    with output.open("wb") as log:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, env=environment
        )
    server = OrchServer(process, directory)
    deadline = time.monotonic() + timeout_seconds
    # The server writes its kubeconfig once it is ready.
    while not Path(server.kubeconfig_path).exists():
        if process.poll() is not None or time.monotonic() > deadline:
            text = output.read_text(errors="replace")
            server.stop()
            raise StartError(f"{shlex.join(words)} did not become ready:\n{text}")
        time.sleep(_POLL_SECONDS)
    return server


def _command() -> list[str]:
    configured = os.environ.get("ORCH")
    if configured:
        return shlex.split(configured)
    return ["orch"] if shutil.which("orch") else ["npx", "--yes", "orch"]
