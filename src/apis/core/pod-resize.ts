// Pod: the resize subresource (InPlacePodVerticalScaling), which changes container resources only.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import { addErrors, type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import { Container } from './container.ts';
import type { Pod } from './pod.ts';
import { computeQosClass } from './pod-qos.ts';
import { isSidecar } from './pod-resources.ts';
import { PodSpec } from './pod-spec.ts';
import { validatePod } from './pod-validation.ts';
import { mustParseQuantity } from './resource-list.ts';
import type { ResourceRequirements } from './resource-requirements.ts';

/**
 * prepareForUpdate: the old spec with the resources and resizePolicy of the requested containers. Containers that the
 * old spec does not have are kept, for validation to reject.
 */
export function keepOnlyResourceChanges(requested: PodSpec, old: PodSpec): PodSpec {
  const merge = (newContainers: Container[] = [], oldContainers: Container[] = []): Container[] => {
    const byName = new Map(oldContainers.map((container) => [container.name, container]));
    return newContainers.map((container) => {
      const oldContainer = byName.get(container.name);
      if (!oldContainer) return container;
      const { resizePolicy: _oldPolicy, ...keptFields } = oldContainer;
      const { resources, resizePolicy } = container;
      return { ...keptFields, resources, ...(resizePolicy && { resizePolicy }) };
    });
  };
  const spec: PodSpec = { ...old, containers: merge(requested.containers, old.containers) };
  const initContainers = merge(requested.initContainers, old.initContainers);
  if (initContainers.length > 0) spec.initContainers = initContainers;
  else delete spec.initContainers;
  return spec;
}

const resizableResources = ['cpu', 'memory'];

export function validateResize(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const reason = resizeForbiddenReason(old, context);
  // kube-apiserver reports errors about the whole object with the path `[]`.
  if (reason) return [forbidden('[]', reason)];
  const errors = [...validateMetadataChange(pod.metadata, old.metadata), ...validatePod(pod, context)];
  const qosClass = old.status.qosClass || computeQosClass(old.spec);
  if (computeQosClass(pod.spec) !== qosClass) {
    errors.push(invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'));
  }
  for (const field of ['containers', 'initContainers'] as const) {
    const path = `spec.${field}`;
    const newContainers = pod.spec[field] ?? [];
    const oldContainers = old.spec[field] ?? [];
    if (newContainers.length !== oldContainers.length) {
      return [...errors, forbidden(path, `${field} may not be added or removed on resize`)];
    }
    const orderErrors = newContainers.flatMap(({ name }, i) =>
      name === oldContainers[i]?.name
        ? []
        : [forbidden(`${path}[${i}].name`, `${field} may not be renamed or reordered on resize`)],
    );
    if (orderErrors.length > 0) return [...errors, ...orderErrors];
    for (const [i, container] of newContainers.entries()) {
      // Of the init containers, only sidecars can be resized; validateOnlyResizes reports changes of the others.
      const isResizable = field === 'containers' || isSidecar(container);
      if (!isResizable) continue;
      addErrors(errors, validateContainerResize(container, oldContainers[i]!, `${path}[${i}].resources`));
    }
  }
  return [...errors, ...validateOnlyResizes(pod.spec, old.spec)];
}

/** Why the pod cannot be resized at all; undefined if it can. */
function resizeForbiddenReason(old: Pod, { dialect }: KindContext): string | undefined {
  const { limits, requests } = old.spec.resources ?? {};
  if (limits || requests) return 'pods with pod-level resources cannot be resized';
  if (old.metadata.annotations?.[dialect.annotations.mirrorPod] !== undefined) {
    return 'static pods cannot be resized';
  }
  return old.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function validateContainerResize(container: Container, oldContainer: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { resources } = container;
  const old = oldContainer.resources;
  for (const field of ['requests', 'limits'] as const) {
    const isRemoved = Object.keys(old[field] ?? {}).some((name) => resources[field]?.[name] === undefined);
    if (isRemoved) errors.push(forbidden(`${path}.${field}`, `resource ${field} cannot be removed`));
  }
  const change = restrictedMemoryLimitChange(resources.limits?.memory, old.limits?.memory);
  const restartsContainer = container.resizePolicy?.some(
    ({ resourceName, restartPolicy }) => resourceName === 'memory' && restartPolicy === 'RestartContainer',
  );
  if (change && !restartsContainer) {
    const detail = `memory limits cannot be ${change} unless resizePolicy is RestartContainer`;
    errors.push(forbidden(`${path}.limits[memory]`, detail));
  }
  return errors;
}

/**
 * A change of the memory limit that requires a restart of the container, as the error names it; undefined for others.
 */
function restrictedMemoryLimitChange(limit: string | undefined, oldLimit: string | undefined) {
  if (!limit) return undefined;
  if (!oldLimit) return 'added';
  const isSmaller = compareQuantities(mustParseQuantity(limit), mustParseQuantity(oldLimit)) < 0;
  return isSmaller ? 'decreased' : undefined;
}

/** Only cpu and memory of containers and sidecars may change. */
function validateOnlyResizes(spec: PodSpec, old: PodSpec): FieldError[] {
  const initContainers = spec.initContainers ?? [];
  const oldInitContainer = (i: number) => old.initContainers![i]!;
  const isChanged = initContainers.some(
    (container, i) =>
      !isSidecar(container) && Container.write(container) !== Container.write(oldInitContainer(i)),
  );
  if (isChanged) return [forbidden('spec', 'resources for non-sidecar init containers are immutable')];
  const withOldResources = (container: Container, oldContainer: Container | undefined): Container => ({
    ...container,
    resources: withOldResizable(container.resources, oldContainer?.resources ?? {}),
  });
  const withSidecarsReset: PodSpec = {
    ...old,
    ...(initContainers.length > 0 && {
      initContainers: initContainers.map((container, i) =>
        withOldResources(container, old.initContainers?.[i]),
      ),
    }),
  };
  if (PodSpec.write(withSidecarsReset) !== PodSpec.write(old)) {
    return [forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable')];
  }
  const withContainersReset: PodSpec = {
    ...old,
    containers: (spec.containers ?? []).map((container, i) =>
      withOldResources(container, old.containers?.[i]),
    ),
  };
  if (PodSpec.write(withContainersReset) === PodSpec.write(old)) return [];
  return [forbidden('spec', 'only cpu and memory resources are mutable')];
}

/**
 * The new resources with the old quantities of cpu and memory: what still differs from the old resources is not a
 * resize.
 */
function withOldResizable(resources: ResourceRequirements, old: ResourceRequirements): ResourceRequirements {
  // kube-apiserver skips the comparison if the container had neither limits nor requests.
  if (!old.limits && !old.requests) return old;
  const { limits: _limits, requests: _requests, ...otherFields } = resources;
  const withOldAmounts = (field: 'limits' | 'requests') => {
    const newEntries = Object.entries(resources[field] ?? {}).filter(
      ([name]) => !resizableResources.includes(name),
    );
    const oldEntries = Object.entries(old[field] ?? {}).filter(([name]) => resizableResources.includes(name));
    const entries = [...newEntries, ...oldEntries];
    return entries.length === 0 ? {} : { [field]: Object.fromEntries(entries) };
  };
  return { ...withOldAmounts('limits'), ...withOldAmounts('requests'), ...otherFields };
}
