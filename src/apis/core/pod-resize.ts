// Pod: the resize subresource (InPlacePodVerticalScaling), which changes container resources only.
import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import { Container } from './container.ts';
import type { Pod } from './pod.ts';
import { qosClassOf } from './pod-qos.ts';
import { isSidecar } from './pod-resources.ts';
import { PodSpec } from './pod-spec.ts';
import { validatePod } from './pod-validation.ts';
import { mustParseQuantity } from './resource-list.ts';
import type { ResourceRequirements } from './resource-requirements.ts';

/** The old spec with the resources of the new one, matching containers by name. */
export function keepOnlyResourceChanges(sent: PodSpec, old: PodSpec): PodSpec {
  const merge = (now: Container[] = [], before: Container[] = []): Container[] => {
    const byName = new Map(before.map((container) => [container.name, container]));
    return now.map((container) => {
      const same = byName.get(container.name);
      if (!same) return container;
      const { resizePolicy: _, ...rest } = same;
      const { resources, resizePolicy } = container;
      return { ...rest, resources, ...(resizePolicy && { resizePolicy }) };
    });
  };
  const spec: PodSpec = { ...old, containers: merge(sent.containers, old.containers) };
  const initContainers = merge(sent.initContainers, old.initContainers);
  if (initContainers.length > 0) spec.initContainers = initContainers;
  else delete spec.initContainers;
  return spec;
}

const resizableResources = ['cpu', 'memory'];

export function validateResize(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const never = resizeForbiddenReason(old, context);
  if (never) return [forbidden('[]', never)];
  const errors = [...validateMetadataChange(pod.metadata, old.metadata), ...validatePod(pod, context)];
  const qosClass = old.status.qosClass || qosClassOf(old.spec);
  if (qosClassOf(pod.spec) !== qosClass) {
    errors.push(invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'));
  }
  for (const field of ['containers', 'initContainers'] as const) {
    const path = `spec.${field}`;
    const now = pod.spec[field] ?? [];
    const before = old.spec[field] ?? [];
    if (now.length !== before.length) {
      return [...errors, forbidden(path, `${field} may not be added or removed on resize`)];
    }
    const moved = now.flatMap(({ name }, i) =>
      name === before[i]?.name
        ? []
        : [forbidden(`${path}[${i}].name`, `${field} may not be renamed or reordered on resize`)],
    );
    if (moved.length > 0) return [...errors, ...moved];
    const resized = (each: Container) => field === 'containers' || isSidecar(each);
    errors.push(
      ...now.flatMap((each, i) =>
        resized(each) ? validateShrinking(each, before[i]!, `${path}[${i}].resources`) : [],
      ),
    );
  }
  return [...errors, ...rejectOtherChanges(pod.spec, old.spec)];
}

function resizeForbiddenReason(old: Pod, { dialect }: KindContext): string | undefined {
  const { limits, requests } = old.spec.resources ?? {};
  if (limits || requests) return 'pods with pod-level resources cannot be resized';
  if (old.metadata.annotations?.[dialect.annotations.mirrorPod] !== undefined) {
    return 'static pods cannot be resized';
  }
  return old.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function validateShrinking(container: Container, before: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { resources } = container;
  const old = before.resources;
  for (const part of ['requests', 'limits'] as const) {
    const isGone = Object.keys(old[part] ?? {}).some((name) => resources[part]?.[name] === undefined);
    if (isGone) errors.push(forbidden(`${path}.${part}`, `resource ${part} cannot be removed`));
  }
  const [now, then] = [resources.limits?.memory, old.limits?.memory];
  const shrinks = now && then && compareQuantities(mustParseQuantity(now), mustParseQuantity(then)) < 0;
  const change = shrinks ? 'decreased' : now && !then ? 'added' : undefined;
  const restarts = container.resizePolicy?.some(
    ({ resourceName, restartPolicy }) => resourceName === 'memory' && restartPolicy === 'RestartContainer',
  );
  if (change && !restarts) {
    const detail = `memory limits cannot be ${change} unless resizePolicy is RestartContainer`;
    errors.push(forbidden(`${path}.limits[memory]`, detail));
  }
  return errors;
}

function rejectOtherChanges(spec: PodSpec, old: PodSpec): FieldError[] {
  const init = spec.initContainers ?? [];
  const before = (i: number) => old.initContainers![i]!;
  const fixed = init.some(
    (container, i) => !isSidecar(container) && Container.write(container) !== Container.write(before(i)),
  );
  if (fixed) return [forbidden('spec', 'resources for non-sidecar init containers are immutable')];
  const put = (container: Container, before: Container | undefined): Container => ({
    ...container,
    resources: withOldResizable(container.resources, before?.resources ?? {}),
  });
  const sidecars: PodSpec = {
    ...old,
    ...(init.length > 0 && { initContainers: init.map((each, i) => put(each, old.initContainers?.[i])) }),
  };
  if (PodSpec.write(sidecars) !== PodSpec.write(old)) {
    return [forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable')];
  }
  const rest: PodSpec = {
    ...old,
    containers: (spec.containers ?? []).map((each, i) => put(each, old.containers?.[i])),
  };
  if (PodSpec.write(rest) === PodSpec.write(old)) return [];
  return [forbidden('spec', 'only cpu and memory resources are mutable')];
}

/** The new resources with cpu and memory reset to the old quantities, to compare the rest. */
function withOldResizable(
  resources: ResourceRequirements,
  before: ResourceRequirements,
): ResourceRequirements {
  // kube-apiserver skips the comparison if the container had neither limits nor requests.
  if (!before.limits && !before.requests) return before;
  const { limits: _, requests: __, ...rest } = resources;
  const put = (part: 'limits' | 'requests') => {
    const amounts = Object.entries(resources[part] ?? {}).filter(
      ([name]) => !resizableResources.includes(name),
    );
    const kept = Object.entries(before[part] ?? {}).filter(([name]) => resizableResources.includes(name));
    const all = [...amounts, ...kept];
    return all.length === 0 ? {} : { [part]: Object.fromEntries(all) };
  };
  return { ...put('limits'), ...put('requests'), ...rest };
}
