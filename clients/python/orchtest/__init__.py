"""Starts an Orch API server for tests.

    with orchtest.start() as server:
        client = kubernetes.config.new_client_from_config(server.kubeconfig_path)
"""

from .server import OrchServer, StartError, start

__all__ = ["OrchServer", "StartError", "start"]
