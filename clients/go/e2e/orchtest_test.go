// Package e2e tests orchtest with the real client, which the package itself does not need.
package e2e

import (
	"context"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"orch.io/orchtest"
)

func clientOf(t *testing.T, server *orchtest.Server) kubernetes.Interface {
	t.Helper()
	config, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	return kubernetes.NewForConfigOrDie(config)
}

func TestObjectsAreCreatedAndWatched(t *testing.T) {
	configMaps := clientOf(t, orchtest.Start(t)).CoreV1().ConfigMaps("default")
	ctx := context.Background()
	created, err := configMaps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := configMaps.Watch(ctx, metav1.ListOptions{ResourceVersion: created.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	if err := configMaps.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if event := <-watcher.ResultChan(); event.Type != "DELETED" {
		t.Errorf("got %v", event.Type)
	}
}

func TestStopDeletesTheData(t *testing.T) {
	server, err := orchtest.StartServer(context.Background(), orchtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if _, err := os.Stat(server.KubeconfigPath()); !os.IsNotExist(err) {
		t.Errorf("the kubeconfig is still there: %v", err)
	}
}

func TestAServerThatCannotStartSaysWhy(t *testing.T) {
	_, err := orchtest.StartServer(context.Background(), orchtest.Options{Flags: []string{"--no-such-flag"}})
	if err == nil || !strings.Contains(err.Error(), "unknown flag --no-such-flag") {
		t.Errorf("got %v", err)
	}
}
