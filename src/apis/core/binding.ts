// Binding: assigns a pod to a node, as the resource `bindings` and as the subresource `pods/binding`.

import { timestamp } from '../../base/clock.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { badRequest, conflict } from '../../errors/catalogue.ts';
import { type FieldError, fieldErrorBody, notSupported, required } from '../../errors/field-error.ts';
import { ApiError, type WireStatus } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Action, ActionRequest } from '../../kind/definition.ts';
import type { ObjectKey } from '../../kind/hooks.ts';
import { kind } from '../../kind/meta/kind.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { ObjectReference } from './object-reference.ts';
import type { Pod } from './pod.ts';
import { setCondition } from './pod-conditions.ts';

export const Binding = kind(
  'core/v1.Binding',
  { target: field(2, ObjectReference, { required: true, doc: 'The node to which the pod is bound.' }) },
  { doc: 'Binds the pod of the same name to a node.' },
);
export type Binding = Infer<typeof Binding>;

/** A binding needs less of its request than other actions do. */
type BindingRequest = Pick<ActionRequest, 'objects' | 'clock' | 'dryRun' | 'target'>;

export interface BindingAction extends Action {
  perform(request: BindingRequest, object: ApiObject): Promise<WireStatus>;
}

const bindingKind = { group: '' as const, version: 'v1', kind: 'Binding', schema: Binding };

/** The create-only resource `bindings`: a Binding assigns the pod that has the Binding's name. */
export const bindings = (context: KindContext) =>
  resource<Binding>({
    ...bindingKind,
    plural: 'bindings',
    verbs: ['create'],
    strategy: { validateName: nameIsSubdomain },
    async perform(request, object) {
      ensureNamespaceMatches(request.target, object);
      const name = object.metadata.name ?? '';
      if (name === '') throw badRequest('Name parameter required.');
      return bind(request, name, object as Binding, context);
    },
  });

/** The subresource `pods/binding`. */
export const bindingAction = (context: KindContext): BindingAction => ({
  ...bindingKind,
  async perform(request, object) {
    if ((object.metadata.name ?? '') !== request.target.name) {
      throw badRequest('name in URL does not match name in Binding object');
    }
    ensureNamespaceMatches(request.target, object);
    return bind(request, request.target.name, object as Binding, context);
  },
});

/** Assigns the pod to the Binding's node, unless it is assigned, gated or being deleted. */
async function bind(
  request: BindingRequest,
  name: string,
  binding: Binding,
  { features }: KindContext,
): Promise<WireStatus> {
  const { objects, clock, dryRun } = request;
  const key = { group: '', version: 'v1', plural: 'pods', namespace: request.target.namespace, name };
  const errors = validateBinding(binding);
  // As in kube-apiserver, an invalid Binding is an internal error, not 422.
  if (errors.length > 0) throw new ApiError(500, '', aggregateMessage(errors));
  const now = timestamp(clock);
  const assign = (object: ApiObject) => {
    const pod = object as Pod;
    assertPreconditions(binding, pod, key, dryRun);
    assertUnassigned(pod, name);
    pod.spec.nodeName = binding.target.name ?? '';
    const { annotations, labels } = binding.metadata;
    if (annotations)
      pod.metadata.annotations = Object.assign(nullPrototypeObject(), pod.metadata.annotations, annotations);
    if (labels && features.enabled('PodTopologyLabelsAdmission')) {
      pod.metadata.labels = Object.assign(nullPrototypeObject(), pod.metadata.labels, labels);
    }
    setCondition(pod.status, { type: 'PodScheduled', status: 'True' }, now);
  };
  await objects.guaranteedUpdate(key, assign, { dryRun });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function validateBinding({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind && target.kind !== 'Node') {
    errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
  }
  if (!target.name) errors.push(required('target.name'));
  return errors;
}

/** Joins errors as Go's `utilerrors.Aggregate` prints them. */
function aggregateMessage(errors: readonly FieldError[]): string {
  const texts = errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

/** The Binding's uid and resourceVersion, if set, are preconditions on the pod. */
function assertPreconditions(
  { metadata }: Binding,
  pod: Pod,
  { plural, namespace, name }: ObjectKey,
  dryRun: boolean,
): void {
  for (const [field, requested, actual] of [
    ['UID', metadata.uid, pod.metadata.uid],
    ['ResourceVersion', metadata.resourceVersion, pod.metadata.resourceVersion],
  ] as const) {
    if (!requested || requested === actual) continue;
    // The message contains the storage key, which in a dry run lacks the prefix.
    const key = `${dryRun ? '' : '/registry'}/${plural}/${namespace}/${name}`;
    throw conflict(
      { group: '', resource: plural },
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        `Precondition failed: ${field} in precondition: ${requested}, ${field} in object meta: ${actual}`,
    );
  }
}

function assertUnassigned({ metadata, spec }: Pod, name: string): void {
  const bindingConflict = (detail: string) =>
    conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${detail}`);
  if (metadata.deletionTimestamp) throw bindingConflict('is being deleted, cannot be assigned to a host');
  if (spec.nodeName) throw bindingConflict(`is already assigned to node "${spec.nodeName}"`);
  if ((spec.schedulingGates ?? []).length > 0) throw bindingConflict('has non-empty .spec.schedulingGates');
}
