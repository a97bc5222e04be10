// Package operator has a controller of controller-runtime: it copies each ConfigMap with the label "copy" into a Secret.
package operator

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Copier reconciles ConfigMaps.
type Copier struct {
	client.Client
}

// Reconcile writes the Secret of a ConfigMap, which owns it.
func (c *Copier) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var source corev1.ConfigMap
	if err := c.Get(ctx, request.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, isCopied := source.Labels["copy"]; !isCopied || !source.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c.Client, secret, func() error {
		secret.StringData = source.Data
		return controllerutil.SetControllerReference(&source, secret, c.Scheme())
	})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (c *Copier) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(c)
}
