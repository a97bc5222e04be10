// Pod: validation and warnings of updates of the status subresource (upstream: ValidatePodStatusUpdate).
import { parseIp } from '../../base/ip-address.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  formatItems,
  invalid,
  notSupported,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import type { Pod } from './pod.ts';
import { containersWithPaths } from './pod-containers.ts';
import { isSidecar } from './pod-resources.ts';
import type { ContainerStatus, PodStatus } from './pod-status.ts';
import { validateAnnotationChange } from './pod-update-validation.ts';
import type { ResourceRequirements } from './resource-requirements.ts';

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** Validates an update of the status subresource. */
export function validatePodStatus(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const { status } = pod;
  const { nominatedNodeName, qosClass } = status;
  const errors = [
    ...validateMetadataChange(pod.metadata, old.metadata),
    ...validateAnnotationChange(pod, old, context),
    ...validateConditions(status),
  ];
  if (nominatedNodeName && nominatedNodeName !== old.status.nominatedNodeName) {
    const problems = nameIsSubdomain(nominatedNodeName);
    addErrors(
      errors,
      problems.map((problem) => invalid('status.nominatedNodeName', nominatedNodeName, problem)),
    );
  }
  if ((status.observedGeneration ?? 0) < 0) {
    const detail = 'must be a non-negative integer';
    errors.push(invalid('status.observedGeneration', status.observedGeneration, detail));
  }
  if (qosClass !== old.status.qosClass) {
    errors.push(invalid('status.qosClass', qosClass ?? '', 'field is immutable'));
  }
  return [
    ...errors,
    ...validateTransitions(pod, old),
    ...validateClaimStatuses(pod),
    ...validateAddresses('podIPs', 'core.PodIP', status, old.status, context),
    ...validateHostIPs(status, old.status, context),
    ...validateUsers(status),
    ...validateAllocatedResourcesStatus(pod),
  ];
}

function validateConditions({ conditions = [] }: PodStatus): FieldError[] {
  return conditions.flatMap(({ type, observedGeneration = 0 }, i) => {
    const fieldPath = `status.conditions[${i}]`;
    const detail = 'must be a non-negative integer';
    return [
      ...(observedGeneration < 0
        ? [invalid(`${fieldPath}.observedGeneration`, observedGeneration, detail)]
        : []),
      // kube-apiserver writes `Type` with a capital letter in this path.
      ...qualifiedName(type).map((problem) => invalid(`${fieldPath}.Type`, type, problem)),
    ];
  });
}

/**
 * A terminated container may not leave that state if restartPolicy forbids a restart; ephemeral containers never
 * restart.
 */
function validateTransitions({ status }: Pod, old: Pod): FieldError[] {
  const { restartPolicy, initContainers = [] } = old.spec;
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name));
  return statusLists.flatMap((field) => {
    const policy = field === 'ephemeralContainerStatuses' ? 'Never' : restartPolicy;
    const states = new Map((status[field] ?? []).map(({ name, state }) => [name, state]));
    return (old.status[field] ?? []).flatMap(({ name, state: { terminated } }, i) => {
      const mayRestart =
        policy === 'Always' ||
        (policy === 'OnFailure' && terminated?.exitCode !== 0) ||
        (field === 'initContainerStatuses' && sidecars.has(name));
      const newState = states.get(name);
      if (!terminated || mayRestart || !newState || newState.terminated) return [];
      return [forbidden(`status.${field}[${i}].state`, 'may not be transitioned to non-terminated state')];
    });
  });
}

function validateClaimStatuses({ spec, status }: Pod): FieldError[] {
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  return (status.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, i) => {
    const fieldPath = `status.resourceClaimStatuses[${i}]`;
    const detail = 'must match the name of an entry in `spec.resourceClaims`';
    const problems = resourceClaimName === undefined ? [] : nameIsSubdomain(resourceClaimName);
    return [
      ...(claims.has(name) ? [] : [invalid(`${fieldPath}.name`, name, detail)]),
      // kube-apiserver reports an invalid resourceClaimName at `name`.
      ...problems.map((problem) => invalid(`${fieldPath}.name`, resourceClaimName, problem)),
    ];
  });
}

function validateHostIPs(status: PodStatus, old: PodStatus, context: KindContext): FieldError[] {
  const firstHostIP = status.hostIPs?.[0];
  if (!firstHostIP) return [];
  const errors: FieldError[] = [];
  if (firstHostIP.ip !== (status.hostIP ?? '')) {
    errors.push(invalid('status.hostIPs[0].ip', firstHostIP.ip, 'must be equal to `hostIP`'));
  }
  return [...errors, ...validateAddresses('hostIPs', 'core.HostIP', status, old, context)];
}

/** podIPs and hostIPs hold at most one address per IP family. */
function validateAddresses(
  field: 'podIPs' | 'hostIPs',
  goType: string,
  status: PodStatus,
  old: PodStatus,
  context: KindContext,
): FieldError[] {
  const rules = addressRules(context);
  const oldIps = new Set((old[field] ?? []).map(({ ip }) => ip));
  const addresses = (status[field] ?? []).map(({ ip }) => ip);
  const errors = addresses.flatMap((ip, i) =>
    rules.ip(ip, oldIps).map((problem) => invalid(`status.${field}[${i}]`, ip, problem)),
  );
  if (addresses.length < 2) return errors;
  const families = addresses.map((ip) => parseIp(ip)?.family);
  const invalidIndex = families.indexOf(undefined);
  if (invalidIndex >= 0) {
    const detail = `failed to check for dual stack with error:invalid IP[${invalidIndex}]: ${addresses[invalidIndex]}`;
    errors.push({ type: 'InternalError', field: `status.${field}`, detail });
  }
  if (invalidIndex >= 0 || new Set(families).size < addresses.length) {
    const badValue = new FormattedValue(
      `[]${goType}{${formatItems(addresses, (ip) => `${goType}{IP:${quote(ip)}}`)}}`,
    );
    errors.push(invalid(`status.${field}`, badValue, 'may specify no more than one IP for each IP family'));
  }
  return errors;
}

function validateUsers(status: PodStatus): FieldError[] {
  return statusLists.flatMap((field) =>
    (status[field] ?? []).flatMap((container, i) => validateUser(container, `status.${field}[${i}]`)),
  );
}

const maxId = 2 ** 31 - 1;

function validateUser({ user }: ContainerStatus, path: string): FieldError[] {
  if (!user?.linux) return [];
  const { uid, gid, supplementalGroups = [] } = user.linux;
  const ids: [string, number][] = [
    ['uid', uid],
    ['gid', gid],
    ...supplementalGroups.map((id, i): [string, number] => [`supplementalGroups[${i}]`, id]),
  ];
  return ids.flatMap(([field, id]) => {
    if (id >= 0 && id <= maxId) return [];
    return [invalid(`${path}.user.linux.${field}`, id, `must be between 0 and ${maxId}, inclusive`)];
  });
}

/** Ephemeral containers have no resources, and therefore no allocatedResourcesStatus. */
function validateAllocatedResourcesStatus({ spec, status }: Pod): FieldError[] {
  const containers = [...containersWithPaths(spec, '')].map(({ container }) => container);
  const resourcesByName = new Map(containers.map(({ name, resources }) => [name, resources]));
  return statusLists.flatMap((field) =>
    (status[field] ?? []).flatMap((container, i) => {
      const path = `status.${field}[${i}].allocatedResourcesStatus`;
      if (field !== 'ephemeralContainerStatuses') {
        return validateResourceHealth(container, resourcesByName.get(container.name), path);
      }
      return container.allocatedResourcesStatus
        ? [forbidden(path, 'must not be specified in container status')]
        : [];
    }),
  );
}

const healthValues = ['Healthy', 'Unhealthy', 'Unknown'];

/** allocatedResourcesStatus may only name resources that the container requests. */
function validateResourceHealth(
  { allocatedResourcesStatus = [] }: ContainerStatus,
  requirements: ResourceRequirements | undefined,
  path: string,
): FieldError[] {
  const resourceNames = new Set([
    ...Object.keys(requirements?.requests ?? {}),
    ...(requirements?.claims ?? []).map(
      (claim) => `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`,
    ),
  ]);
  return allocatedResourcesStatus.flatMap(({ name, resources = [] }, i) => {
    const detail = name.startsWith('claim:')
      ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
      : "must match one of the container's resource requests";
    return [
      ...(requirements && !resourceNames.has(name)
        ? [invalid(`${path}[${i}].name`, new FormattedValue(name), detail)]
        : []),
      ...resources.flatMap(({ health = '' }, j) =>
        healthValues.includes(health)
          ? []
          : [notSupported(`${path}[${i}].resources[${j}].health`, health, healthValues)],
      ),
    ];
  });
}

/** Warns about valid IP addresses in a non-canonical form. */
export function podStatusWarnings({ podIPs = [], hostIPs = [] }: PodStatus, context: KindContext): string[] {
  const { ipWarnings } = addressRules(context);
  return [
    ...podIPs.flatMap(({ ip }, i) => ipWarnings(ip, `status.podIPs[${i}].ip`)),
    ...hostIPs.flatMap(({ ip }, i) => ipWarnings(ip, `status.hostIPs[${i}].ip`)),
  ];
}
