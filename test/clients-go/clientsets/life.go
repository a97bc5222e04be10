package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	namespace = "default"
	// patience is for what the server does after it has answered.
	patience = 60 * time.Second
)

// life puts one object of a resource through every verb that the resource has.
type life struct {
	resource resource
	// client is the typed client, inJSON the same in JSON, to compare what they read.
	client, inJSON reflect.Value
	example        example
	report         *report
}

func (l *life) run() {
	if !l.resource.can("create") {
		l.readOnly()
		return
	}
	if !l.resource.can("list") {
		l.try("create", func() error {
			_, err := l.call(l.client, "Create", l.object(), metav1.CreateOptions{})
			if l.resource.Name == "bindings" {
				return nil
			}
			return err
		})
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	var events watch.Interface
	l.try("watch", func() (err error) {
		events, err = l.watch(ctx)
		return err
	})
	created := false
	l.try("create", func() error {
		made, err := l.call(l.client, "Create", l.object(), metav1.CreateOptions{FieldManager: "clientsets"})
		if err != nil {
			return err
		}
		created = true
		return l.expectName(made)
	})
	if !created {
		if events != nil {
			events.Stop()
		}
		return
	}
	l.try("get", l.get)
	l.try("list", l.list)
	l.try("update", func() error { return l.change("Update", "updated") })
	if l.resource.subresources["status"] && l.client.MethodByName("UpdateStatus").IsValid() {
		l.try("update status", func() error { return l.change("UpdateStatus", "") })
	}
	if l.resource.subresources["scale"] && l.client.MethodByName("GetScale").IsValid() {
		l.try("scale", l.scale)
	}
	for _, form := range []types.PatchType{types.MergePatchType, types.StrategicMergePatchType, types.JSONPatchType, types.ApplyPatchType} {
		l.try("patch "+string(form), func() error { return l.patch(form) })
	}
	l.try("delete", l.delete)
	if events != nil {
		l.try("events", func() error { return l.expectEvents(ctx, events) })
	}
	if l.resource.can("deletecollection") && l.client.MethodByName("DeleteCollection").IsValid() {
		l.try("deletecollection", l.deleteCollection)
	}
}

func (l *life) try(verb string, do func() error) {
	if err := do(); err != nil {
		l.report.fail(verb, err)
	} else {
		l.report.pass()
	}
}

// call calls a method of a typed client with a context; the result is nil where the method returns only an error.
func (l *life) call(client reflect.Value, name string, arguments ...any) (any, error) {
	method := client.MethodByName(name)
	if !method.IsValid() {
		return nil, fmt.Errorf("the clientset has no %s", name)
	}
	in := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, argument := range arguments {
		in = append(in, reflect.ValueOf(argument))
	}
	out := method.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	if len(out) == 1 || err != nil {
		return nil, err
	}
	return out[0].Interface(), nil
}

// object is the example as a value of the kind's Go type.
func (l *life) object() any {
	made := reflect.New(l.client.MethodByName("Create").Type().In(1).Elem()).Interface()
	l.example.into(made)
	if meta, ok := made.(metav1.Object); ok && l.example.Name != "" {
		meta.SetName(l.example.Name)
		meta.SetLabels(map[string]string{"clientsets": "true"})
	}
	return made
}

func (l *life) name() string { return l.example.Name }

func (l *life) expectName(object any) error {
	if name := object.(metav1.Object).GetName(); name != l.name() {
		return fmt.Errorf("the name is %q", name)
	}
	return nil
}

// readOnly lists what there is and gets the first of it.
func (l *life) readOnly() {
	var items reflect.Value
	l.try("list", func() error {
		list, err := l.call(l.client, "List", metav1.ListOptions{})
		if err != nil {
			return err
		}
		if items = itemsOf(list); items.Len() == 0 {
			return errors.New("the list is empty")
		}
		return nil
	})
	if items.IsValid() && items.Len() > 0 {
		l.try("get", func() error {
			name := items.Index(0).Addr().Interface().(metav1.Object).GetName()
			_, err := l.call(l.client, "Get", name, metav1.GetOptions{})
			return err
		})
	}
}

func itemsOf(list any) reflect.Value { return reflect.ValueOf(list).Elem().FieldByName("Items") }

// get reads the object, and the same as the client in JSON does. Others may write it in between: then both read again.
func (l *life) get() error {
	for attempt := 0; ; attempt++ {
		one, err := l.call(l.client, "Get", l.name(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		other, err := l.call(l.inJSON, "Get", l.name(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		isSameRevision := one.(metav1.Object).GetResourceVersion() == other.(metav1.Object).GetResourceVersion()
		if isSameRevision && !equality.Semantic.DeepEqual(one, other) {
			return fmt.Errorf("not what JSON says: %v, %v", one, other)
		}
		if isSameRevision || attempt == 10 {
			return l.expectName(one)
		}
	}
}

func (l *life) list() error {
	list, err := l.call(l.client, "List", metav1.ListOptions{LabelSelector: "clientsets=true", Limit: 500})
	if err != nil {
		return err
	}
	items := itemsOf(list)
	for i := 0; i < items.Len(); i++ {
		if items.Index(i).Addr().Interface().(metav1.Object).GetName() == l.name() {
			return nil
		}
	}
	return fmt.Errorf("it is not among %d objects", items.Len())
}

// change sends the object back with a label, again where the server has written it in between.
func (l *life) change(method, label string) error {
	for {
		object, err := l.call(l.client, "Get", l.name(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		meta := object.(metav1.Object)
		labels := meta.GetLabels()
		if label != "" {
			labels[label] = "yes"
			meta.SetLabels(labels)
		}
		changed, err := l.call(l.client, method, object, metav1.UpdateOptions{FieldManager: "clientsets"})
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return err
		}
		if label != "" && changed.(metav1.Object).GetLabels()[label] != "yes" {
			return errors.New("the label is missing")
		}
		return l.expectName(changed)
	}
}

func (l *life) scale() error {
	for {
		scale, err := l.call(l.client, "GetScale", l.name(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		_, err = l.call(l.client, "UpdateScale", l.name(), scale, metav1.UpdateOptions{})
		if apierrors.IsConflict(err) {
			continue
		}
		return err
	}
}

func (l *life) patch(form types.PatchType) error {
	label := map[types.PatchType]string{
		types.MergePatchType:          "merged",
		types.StrategicMergePatchType: "strategic",
		types.JSONPatchType:           "json",
		types.ApplyPatchType:          "applied",
	}[form]
	metadata := map[string]any{"name": l.name(), "labels": map[string]string{label: "yes"}}
	var body any = map[string]any{"metadata": metadata}
	options := metav1.PatchOptions{FieldManager: "clientsets"}
	switch form {
	case types.JSONPatchType:
		body = []any{map[string]any{"op": "add", "path": "/metadata/labels/" + label, "value": "yes"}}
	case types.ApplyPatchType:
		kind := l.resource.kind()
		// Of what the object already is, an apply must repeat what is required.
		body = map[string]any{"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "metadata": metadata}
	}
	text, err := json.Marshal(body)
	check(err)
	if form == types.ApplyPatchType {
		if text, err = l.applied(text); err != nil {
			return err
		}
		force := true
		options.Force = &force
	}
	changed, err := l.call(l.client, "Patch", l.name(), form, text, options)
	if err != nil {
		return err
	}
	if changed.(metav1.Object).GetLabels()[label] != "yes" {
		return errors.New("the label is missing")
	}
	return nil
}

// applied adds the fields of the example to an apply.
func (l *life) applied(text []byte) ([]byte, error) {
	whole := map[string]any{}
	if err := json.Unmarshal(l.example.Body, &whole); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}

// delete deletes the object and waits until it is gone. No controllers run: what they would do is done here.
func (l *life) delete() error {
	now := int64(0)
	_, err := l.call(l.client, "Delete", l.name(), metav1.DeleteOptions{GracePeriodSeconds: &now})
	if err != nil {
		return err
	}
	return l.untilGone()
}

func (l *life) untilGone() error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		object, err := l.call(l.client, "Get", l.name(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := l.release(object); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return errors.New("it is still there")
}

// release does what an object that is being deleted waits for.
func (l *life) release(object any) error {
	if l.resource.Name == "namespaces" {
		reflect.ValueOf(object).Elem().FieldByName("Spec").FieldByName("Finalizers").SetZero()
		_, err := l.call(l.client, "Finalize", object, metav1.UpdateOptions{})
		return err
	}
	if len(object.(metav1.Object).GetFinalizers()) == 0 || l.resource.Name == "customresourcedefinitions" {
		return nil
	}
	patch := []byte(`{"metadata":{"finalizers":null}}`)
	_, err := l.call(l.client, "Patch", l.name(), types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

func (l *life) deleteCollection() error {
	if _, err := l.call(l.client, "Create", l.object(), metav1.CreateOptions{}); err != nil {
		return err
	}
	now := int64(0)
	_, err := l.call(l.client, "DeleteCollection", metav1.DeleteOptions{GracePeriodSeconds: &now},
		metav1.ListOptions{LabelSelector: "clientsets=true"})
	if err != nil {
		return err
	}
	return l.untilGone()
}

// watch follows the object from before it is created.
func (l *life) watch(ctx context.Context) (watch.Interface, error) {
	list, err := l.call(l.client, "List", metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	revision := list.(metav1.ListInterface).GetResourceVersion()
	out := l.client.MethodByName("Watch").Call([]reflect.Value{
		reflect.ValueOf(ctx),
		reflect.ValueOf(metav1.ListOptions{FieldSelector: "metadata.name=" + l.name(), ResourceVersion: revision}),
	})
	if err, _ := out[1].Interface().(error); err != nil {
		return nil, err
	}
	return out[0].Interface().(watch.Interface), nil
}

// expectEvents reads the events of the object's whole life: it comes, changes, and goes.
func (l *life) expectEvents(ctx context.Context, events watch.Interface) error {
	defer events.Stop()
	seen := map[watch.EventType]int{}
	for {
		select {
		case event, open := <-events.ResultChan():
			if !open {
				return fmt.Errorf("the watch ended after %v", seen)
			}
			if event.Type == watch.Error {
				return apierrors.FromObject(event.Object)
			}
			seen[event.Type]++
			if err := l.expectName(event.Object); err != nil {
				return err
			}
			if event.Type == watch.Deleted {
				if seen[watch.Added] != 1 || seen[watch.Modified] == 0 {
					return fmt.Errorf("the events were %v", seen)
				}
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("the object was not deleted; the events were %v", seen)
		}
	}
}
