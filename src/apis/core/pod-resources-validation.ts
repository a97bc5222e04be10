// Pod: validation of pod-level resources (PodLevelResources).
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import { aggregateContainerResources, isPodLevelResource } from './pod-resources.ts';
import type { PodSpec } from './pod-spec.ts';
import { mustParseQuantity, validateResourceName } from './resource-list.ts';
import type { ResourceRequirements } from './resource-requirements.ts';
import { validateResourceRequirements } from './resource-requirements-validation.ts';

export function validatePodResources(
  spec: PodSpec,
  claims: ReadonlySet<string>,
  path: string,
  context: KindContext,
): FieldError[] {
  const { resources } = spec;
  if (!resources) return [];
  const errors: FieldError[] = [];
  if ((resources.claims ?? []).length > 0) {
    errors.push(forbidden(`${path}.claims`, 'claims cannot be set for Resources at pod-level'));
  }
  addErrors(errors, [
    ...validateResourceRequirements(resources, claims, path, context, validatePodResourceName),
    ...validateRequestsCoverContainers(spec, resources, path),
    ...validateContainerLimitsWithinPod(spec, resources, path),
  ]);
  return errors;
}

const podLevelResources = ['cpu', 'hugepages-', 'memory'];

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, new FormattedValue(name), podLevelResources)];
}

/** The pod-level requests are at least the aggregate of the containers' requests. */
function validateRequestsCoverContainers(
  spec: PodSpec,
  { requests }: ResourceRequirements,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, containerTotal] of aggregateContainerResources(spec, 'requests')) {
    const podRequest = requests?.[name] ?? '0';
    if (compareQuantities(mustParseQuantity(podRequest), containerTotal) >= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${containerTotal.text}`;
    errors.push(invalid(`${path}.requests[${name}]`, podRequest, detail));
  }
  return errors;
}

function validateContainerLimitsWithinPod(
  spec: PodSpec,
  { limits }: ResourceRequirements,
  path: string,
): FieldError[] {
  return (spec.containers ?? []).flatMap(({ resources }, i) =>
    Object.entries(resources.limits ?? {}).flatMap(([name, containerLimit]) => {
      const podLimit = limits?.[name];
      if (
        podLimit === undefined ||
        compareQuantities(mustParseQuantity(containerLimit), mustParseQuantity(podLimit)) <= 0
      )
        return [];
      const detail = `must be less than or equal to pod limits of ${podLimit}`;
      // kube-apiserver's path: it names the containers below spec.resources.
      return [invalid(`${path}.containers[${i}][${name}].limits`, containerLimit, detail)];
    }),
  );
}
