"""Tests with the real Kubernetes client."""

import os

import pytest
from kubernetes import client, config, watch

import orchtest


@pytest.fixture
def core(orch):
    return client.CoreV1Api(config.new_client_from_config(orch.kubeconfig_path))


def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)


def names(listed):
    return {item.metadata.name for item in listed.items}


def test_objects_are_created_listed_and_watched(core):
    created = core.create_namespaced_config_map("default", config_map("a", k="v"))
    assert "a" in names(core.list_namespaced_config_map("default"))
    core.patch_namespaced_config_map("a", "default", {"data": {"k": "w"}})
    stream = watch.Watch().stream(
        core.list_namespaced_config_map,
        "default",
        resource_version=created.metadata.resource_version,
        timeout_seconds=10,
    )
    event = next(stream)
    assert (event["type"], event["object"].data) == ("MODIFIED", {"k": "w"})


def test_a_server_per_test_is_empty(orch_per_test):
    core = client.CoreV1Api(config.new_client_from_config(orch_per_test.kubeconfig_path))
    # A controller creates this one in every namespace.
    assert names(core.list_namespaced_config_map("default")) - {"kube-root-ca.crt"} == set()


def test_stop_ends_the_process_and_deletes_its_data():
    server = orchtest.start()
    path = server.kubeconfig_path
    server.stop()
    assert not os.path.exists(path)


def test_a_server_that_cannot_start_says_why():
    with pytest.raises(orchtest.StartError, match="unknown flag --no-such-flag"):
        orchtest.start(flags=["--no-such-flag"])
