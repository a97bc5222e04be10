//! Tests with the real client, kube-rs.

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, PostParams, WatchEvent, WatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config, ResourceExt};
use orchtest::{Server, StartError};

async fn client_of(server: &Server) -> Client {
    let kubeconfig: Kubeconfig = serde_yaml::from_str(server.kubeconfig()).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

#[tokio::test]
async fn objects_are_created_and_watched() {
    let server = Server::start().unwrap();
    let config_maps: Api<ConfigMap> = Api::namespaced(client_of(&server).await, "default");
    let mut config_map = ConfigMap::default();
    config_map.metadata.name = Some("a".into());
    let created = config_maps.create(&PostParams::default(), &config_map).await.unwrap();
    let version = created.resource_version().unwrap();
    let mut events = config_maps.watch(&WatchParams::default(), &version).await.unwrap().boxed();
    config_maps.delete("a", &DeleteParams::default()).await.unwrap();
    assert!(matches!(events.try_next().await.unwrap(), Some(WatchEvent::Deleted(_))));
}

#[test]
fn a_dropped_server_ends_and_deletes_its_data() {
    let server = Server::start().unwrap();
    let path = server.kubeconfig_path();
    assert!(path.exists());
    drop(server);
    assert!(!path.exists());
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let error = Server::with_flags(&["--no-such-flag"]).unwrap_err();
    assert!(matches!(&error, StartError::NotReady { output, .. } if output.contains("unknown flag --no-such-flag")), "{error}");
}
