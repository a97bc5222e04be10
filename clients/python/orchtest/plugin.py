"""The pytest plugin: fixtures with a server for the whole run, and with one for each test."""

import pytest

from .server import start


@pytest.fixture(scope="session")
def orch():
    """A server that all tests of the run share."""
    with start() as server:
        yield server


@pytest.fixture
def orch_per_test():
    """A new and empty server."""
    with start() as server:
        yield server
