package main

import (
	"context"
	"errors"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// useSubresources calls the methods that clientsets have for single subresources.
func useSubresources(config *rest.Config, contentType string, examples map[string]example, report *report) {
	config = rest.CopyConfig(config)
	config.ContentType = contentType
	clients, err := kubernetes.NewForConfig(config)
	check(err)
	ctx := context.Background()
	pods := clients.CoreV1().Pods(namespace)
	try := func(what string, do func() error) {
		if err := do(); err != nil {
			report.fail(what, err)
		} else {
			report.pass()
		}
	}

	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "parts"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	_, err = pods.Create(ctx, pod, metav1.CreateOptions{})
	check(err)
	try("bind", func() error {
		binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "parts"}, Target: corev1.ObjectReference{Kind: "Node", Name: "n"}}
		if err := pods.Bind(ctx, binding, metav1.CreateOptions{}); err != nil {
			return err
		}
		bound, err := pods.Get(ctx, "parts", metav1.GetOptions{})
		if err == nil && bound.Spec.NodeName != "n" {
			err = fmt.Errorf("it is bound to %q", bound.Spec.NodeName)
		}
		return err
	})
	try("ephemeral containers", func() error {
		found, err := pods.Get(ctx, "parts", metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Spec.EphemeralContainers = []corev1.EphemeralContainer{{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "e", Image: "i", TerminationMessagePolicy: corev1.TerminationMessageReadFile},
		}}
		_, err = pods.UpdateEphemeralContainers(ctx, "parts", found, metav1.UpdateOptions{})
		return err
	})
	try("evict", func() error {
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "parts"}}
		if err := pods.EvictV1(ctx, eviction); err != nil {
			return err
		}
		now := int64(0)
		err := pods.Delete(ctx, "parts", metav1.DeleteOptions{GracePeriodSeconds: &now})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	})
	try("token", func() error {
		request := &authenticationv1.TokenRequest{}
		made, err := clients.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "default", request, metav1.CreateOptions{})
		if err == nil && made.Status.Token == "" {
			err = errors.New("the token is empty")
		}
		return err
	})
	try("approval", func() error { return approve(ctx, clients, examples) })
}

func approve(ctx context.Context, clients *kubernetes.Clientset, examples map[string]example) error {
	requests := clients.CertificatesV1().CertificateSigningRequests()
	request := &certificatesv1.CertificateSigningRequest{}
	example := examples["certificates.k8s.io certificatesigningrequests"]
	example.into(request)
	request.Name = "parts"
	made, err := requests.Create(ctx, request, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{
		Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "Tested",
	}}
	approved, err := requests.UpdateApproval(ctx, "parts", made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if len(approved.Status.Conditions) != 1 {
		return fmt.Errorf("the conditions are %v", approved.Status.Conditions)
	}
	return requests.Delete(ctx, "parts", metav1.DeleteOptions{})
}
