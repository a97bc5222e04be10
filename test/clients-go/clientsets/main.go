// Command clientsets uses the typed clientsets of Kubernetes for every resource that a server announces, once in
// Protobuf and once in JSON, and reports which verbs did what a client expects.
//
// The clientsets are walked by reflection: a group version is a method of a clientset (CoreV1), a resource a method
// of that (Pods), a verb a method of that (Create). A resource that no clientset knows is a failure.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"sort"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
)

// example is the least object of a kind that servers accept, by "group resource".
type example struct {
	Name string          `json:"name"`
	Body json.RawMessage `json:"body"`
}

func (e example) into(object any) { check(json.Unmarshal(e.Body, object)) }

const protobuf = "application/vnd.kubernetes.protobuf"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the server")
	examplesFile := flag.String("examples", "", "JSON with the least object of each resource")
	only := flag.String("only", "", "a resource, as group/version/name")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	ensureAccount(config)
	text, err := os.ReadFile(*examplesFile)
	check(err)
	examples := map[string]example{}
	check(json.Unmarshal(text, &examples))

	announced := resourcesOf(config)
	forms := []struct{ name, contentType string }{{"Protobuf", protobuf}, {"JSON", "application/json"}}
	report := &report{}
	inJSON := clientsOf(config, "application/json")
	for _, form := range forms {
		clients := clientsOf(config, form.contentType)
		for _, resource := range announced {
			id := resource.id()
			if *only != "" && *only != id {
				continue
			}
			report.begin(form.name, id)
			client, found := clients[resource.kind()]
			if !found {
				report.fail("clientset", fmt.Errorf("no clientset has it"))
				continue
			}
			if _, hasExample := examples[resource.key()]; !hasExample && resource.can("create") {
				report.fail("example", fmt.Errorf("there is no object to create"))
				continue
			}
			life := life{resource, client, inJSON[resource.kind()], examples[resource.key()], report}
			life.run()
		}
		if *only == "" {
			report.begin(form.name, "subresources")
			useSubresources(config, form.contentType, examples, report)
		}
	}
	fmt.Printf("%d passed, %d failed\n", report.passed, report.failed)
	if report.failed > 0 {
		os.Exit(1)
	}
}

// ensureAccount makes the account that pods run as: no controller does.
func ensureAccount(config *rest.Config) {
	clients, err := kubernetes.NewForConfig(config)
	check(err)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	_, err = clients.CoreV1().ServiceAccounts(namespace).Create(context.Background(), account, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		check(err)
	}
}

// resource is what discovery says of one.
type resource struct {
	metav1.APIResource
	subresources map[string]bool
}

func (r resource) kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}

func (r resource) id() string  { return fmt.Sprintf("%s/%s/%s", r.Group, r.Version, r.Name) }
func (r resource) key() string { return r.Group + " " + r.Name }

func (r resource) can(verb string) bool {
	for _, one := range r.Verbs {
		if one == verb {
			return true
		}
	}
	return false
}

// withoutClient are resources that clientsets reach in another way: a Binding is made by Pods().Bind.
var withoutClient = map[string]bool{"/v1/bindings": true}

func resourcesOf(config *rest.Config) []resource {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	check(err)
	_, lists, err := client.ServerGroupsAndResources()
	check(err)
	found := map[string]*resource{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		check(err)
		for _, one := range list.APIResources {
			one.Group, one.Version = version.Group, version.Version
			made := resource{one, map[string]bool{}}
			found[made.id()] = &made
		}
	}
	var announced []resource
	for id, one := range found {
		if parent := parentOf(id); parent != "" {
			if in, ok := found[parent]; ok {
				in.subresources[id[len(parent)+1:]] = true
			}
		} else if !withoutClient[id] {
			announced = append(announced, *one)
		}
	}
	sort.Slice(announced, func(i, j int) bool { return announced[i].id() < announced[j].id() })
	return announced
}

// parentOf is "apps/v1/deployments" of "apps/v1/deployments/scale", and empty for what is no subresource.
func parentOf(id string) string {
	slashes := 0
	for at, letter := range id {
		if letter == '/' {
			if slashes++; slashes == 3 {
				return id[:at]
			}
		}
	}
	return ""
}

// clientsOf finds the typed client of every kind in all clientsets; those of namespaced kinds are for "default".
func clientsOf(config *rest.Config, contentType string) map[schema.GroupVersionKind]reflect.Value {
	config = rest.CopyConfig(config)
	config.ContentType = contentType
	config.AcceptContentTypes = contentType
	if contentType != "application/json" {
		config.AcceptContentTypes += ",application/json"
	}
	builtin, err := kubernetes.NewForConfig(config)
	check(err)
	definitions, err := apiextensions.NewForConfig(config)
	check(err)
	services, err := aggregator.NewForConfig(config)
	check(err)

	clients := map[schema.GroupVersionKind]reflect.Value{}
	for _, set := range []any{builtin, definitions, services} {
		for _, version := range parts(reflect.ValueOf(set)) {
			withREST, ok := version.Interface().(interface{ RESTClient() rest.Interface })
			if !ok {
				continue
			}
			groupVersion := withREST.RESTClient().APIVersion()
			for _, client := range parts(version) {
				if create := client.MethodByName("Create"); create.IsValid() && create.Type().NumIn() == 3 {
					kind := create.Type().In(1).Elem().Name()
					clients[groupVersion.WithKind(kind)] = client
				}
			}
		}
	}
	return clients
}

// parts calls every method that takes nothing, or the namespace, and returns one client.
func parts(of reflect.Value) []reflect.Value {
	var found []reflect.Value
	for i := 0; i < of.NumMethod(); i++ {
		method := of.Method(i)
		signature := method.Type()
		if signature.NumOut() != 1 || signature.NumIn() > 1 || signature.Out(0).Kind() != reflect.Interface {
			continue
		}
		var arguments []reflect.Value
		if signature.NumIn() == 1 {
			if signature.In(0).Kind() != reflect.String {
				continue
			}
			arguments = append(arguments, reflect.ValueOf(namespace))
		}
		if one := method.Call(arguments)[0]; !one.IsNil() {
			found = append(found, reflect.ValueOf(one.Interface()))
		}
	}
	return found
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// report counts what was tried and names what failed.
type report struct {
	form, id       string
	passed, failed int
}

func (r *report) begin(form, id string) { r.form, r.id = form, id }

func (r *report) pass() { r.passed++ }

func (r *report) fail(verb string, err error) {
	r.failed++
	fmt.Printf("✗ %s %s %s: %v\n", r.form, r.id, verb, err)
}
