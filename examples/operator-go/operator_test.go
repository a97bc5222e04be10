package operator

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// The environment starts the kube-apiserver of KUBEBUILDER_ASSETS, which `orch envtest` prints.
func startOperator(t *testing.T) client.Client {
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() {
		stop()
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Copier{Client: manager.GetClient()}).SetupWithManager(manager); err != nil {
		t.Fatal(err)
	}
	go func() {
		if err := manager.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return direct
}

func eventually(t *testing.T, what string, check func(context.Context) (bool, error)) {
	t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 10*time.Millisecond, 10*time.Second, true, check)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func isGone(c client.Client, object client.Object) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		err := c.Get(ctx, client.ObjectKeyFromObject(object), object)
		return errors.IsNotFound(err), client.IgnoreNotFound(err)
	}
}

func TestCopier(t *testing.T) {
	c := startOperator(t)
	ctx := context.Background()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	if err := c.Create(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	meta := metav1.ObjectMeta{Name: "settings", Namespace: "shop", Labels: map[string]string{"copy": ""}}
	source := &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"color": "blue"}}
	if err := c.Create(ctx, source); err != nil {
		t.Fatal(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "settings", Namespace: "shop"}}
	eventually(t, "the secret has the data", func(ctx context.Context) (bool, error) {
		err := c.Get(ctx, client.ObjectKeyFromObject(secret), secret)
		return string(secret.Data["color"]) == "blue", client.IgnoreNotFound(err)
	})

	// With kube-apiserver alone these two would wait forever: it has neither controller.
	if err := c.Delete(ctx, source); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the garbage collector deletes the secret", isGone(c, secret))
	if err := c.Delete(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace vanishes", isGone(c, namespace))
}
