// Container: validation of containers, initContainers and ephemeralContainers of a pod (upstream: validateContainers
// and its siblings). Errors are in kube-apiserver's order.
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { dnsLabel } from '../../schema/names.ts';
import type { Container, ContainerResizePolicy, EphemeralContainer } from './container.ts';
import { validateEnv, validateEnvFrom } from './container-env-validation.ts';
import {
  type MountableVolumes,
  validateVolumeDevices,
  validateVolumeMounts,
} from './container-mounts-validation.ts';
import { validateHostPortsUnique, validatePorts } from './container-ports-validation.ts';
import type { PodSpec } from './pod-spec.ts';
import { type LifecycleContext, validateLifecycle, validateProbe } from './probe-validation.ts';
import { validateResourceRequirements } from './resource-requirements-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';

/** The parts of the pod that its containers are validated against. */
export interface ContainerContext {
  readonly context: KindContext;
  readonly spec: PodSpec;
  /** The pod's valid volumes. */
  readonly volumes: MountableVolumes;
  /** Names in the pod's `resourceClaims`. */
  readonly claims: ReadonlySet<string>;
}

export function validateContainers(containerContext: ContainerContext, path: string): FieldError[] {
  const containers = containerContext.spec.containers ?? [];
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, container] of containers.entries()) {
    const fieldPath = `${path}[${i}]`;
    addErrors(errors, validateContainer(container, fieldPath, containerContext));
    if (names.has(container.name)) errors.push(duplicate(`${fieldPath}.name`, container.name));
    names.add(container.name);
    addErrors(errors, validateLifecycleAndProbes(container, fieldPath, containerContext));
    if (container.restartPolicy !== undefined) {
      errors.push(forbidden(`${fieldPath}.restartPolicy`, 'may not be set for non-init containers'));
    }
  }
  return [...errors, ...validateHostPortsUnique(containers, path)];
}

export function validateInitContainers(containerContext: ContainerContext, path: string): FieldError[] {
  const names = new Set((containerContext.spec.containers ?? []).map(({ name }) => name));
  return (containerContext.spec.initContainers ?? []).flatMap((container, i) => {
    const fieldPath = `${path}[${i}]`;
    const { name, restartPolicy } = container;
    const errors = validateContainer(container, fieldPath, containerContext);
    if (restartPolicy !== undefined && restartPolicy !== 'Always') {
      errors.push(notSupported(`${fieldPath}.restartPolicy`, restartPolicy, ['Always']));
    }
    if (names.has(name)) errors.push(duplicate(`${fieldPath}.name`, name));
    else if (name !== '') names.add(name);
    return [
      ...errors,
      // Init containers run one after the other, so different ones may use the same hostPort. The error path has
      // index 0.
      ...validateHostPortsUnique([container], path),
      ...(restartPolicy === 'Always'
        ? validateLifecycleAndProbes(container, fieldPath, containerContext)
        : validateNoLifecycleOrProbes(container, fieldPath)),
    ];
  });
}

/** Init containers that are not sidecars cannot have lifecycle hooks or probes. */
function validateNoLifecycleOrProbes(container: Container, path: string): FieldError[] {
  const detail = 'may not be set for init containers without restartPolicy=Always';
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    .filter((field) => container[field])
    .map((field) => forbidden(`${path}.${field}`, detail));
}

/** Fields that ephemeral containers cannot set, in kube-apiserver's order. */
const forbiddenInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(containerContext: ContainerContext, path: string): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = containerContext.spec;
  const targets = new Set([...containers, ...initContainers].map(({ name }) => name));
  const names = new Set(targets);
  return ephemeralContainers.flatMap((container, i) => {
    const fieldPath = `${path}[${i}]`;
    const { name, targetContainerName } = container;
    const errors = [
      ...validateContainer(container, fieldPath, containerContext),
      ...validateImageNotPadded(container, fieldPath),
    ];
    if (names.has(name)) errors.push(duplicate(`${fieldPath}.name`, name));
    names.add(name);
    if (targetContainerName && !targets.has(targetContainerName)) {
      errors.push(notFound(`${fieldPath}.targetContainerName`, targetContainerName));
    }
    const detail = 'cannot be set for an Ephemeral Container';
    for (const field of forbiddenInEphemeral) {
      if (isSet(container, field)) errors.push(forbidden(`${fieldPath}.${field}`, detail));
    }
    for (const [j, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      if (subPath) errors.push(forbidden(`${fieldPath}.volumeMounts[${j}].subPath`, detail));
      if (subPathExpr) errors.push(forbidden(`${fieldPath}.volumeMounts[${j}].subPathExpr`, detail));
    }
    return errors;
  });
}

/** `resources` is never absent: it is set if any of its fields is. */
function isSet(container: EphemeralContainer, field: (typeof forbiddenInEphemeral)[number]): boolean {
  if (field !== 'resources') return container[field] !== undefined;
  return Object.values(container.resources).some((requirement) => requirement !== undefined);
}

/** Pods reject leading and trailing spaces in an image name; stored pod templates may have them. */
export function validateImageNotPadded({ image = '' }: Pick<Container, 'image'>, path: string): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}

/** Rules common to containers, init containers and ephemeral containers. */
function validateContainer(
  container: Container | EphemeralContainer,
  path: string,
  { context, spec, volumes, claims }: ContainerContext,
): FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy, securityContext } = container;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  else
    addErrors(
      errors,
      dnsLabel(name).map((problem) => invalid(`${path}.name`, name, problem)),
    );
  if (!image) errors.push(required(`${path}.image`));
  return [
    ...errors,
    ...validateRequiredEnum(terminationMessagePolicy, `${path}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(container.ports ?? [], `${path}.ports`),
    ...validateEnv(container.env ?? [], `${path}.env`, context),
    ...validateEnvFrom(container.envFrom ?? [], `${path}.envFrom`, context),
    ...validateVolumeMounts(container, volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${path}.volumeDevices`),
    ...validateRequiredEnum(imagePullPolicy, `${path}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
    ...validateResourceRequirements(container.resources, claims, `${path}.resources`, context),
    ...validateResizePolicies(container.resizePolicy ?? [], `${path}.resizePolicy`, spec),
    ...(securityContext
      ? validateSecurityContext(securityContext, `${path}.securityContext`, {
          hostUsers: spec.hostUsers !== false,
          allowPrivileged: context.allowPrivileged ?? false,
        })
      : []),
  ];
}

export function validateRequiredEnum(
  value: string | undefined,
  path: string,
  supported: readonly string[],
): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  path: string,
  spec: PodSpec,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { resourceName, restartPolicy }] of policies.entries()) {
    const badValue = new FormattedValue(resourceName);
    // kube-apiserver's paths have the policy's index only for duplicates.
    if (seen.has(resourceName)) errors.push(duplicate(`${path}[${i}]`, badValue));
    seen.add(resourceName);
    if (resourceName === '') errors.push(required(path));
    else if (!['cpu', 'memory'].includes(resourceName)) {
      errors.push(notSupported(path, badValue, ['cpu', 'memory']));
    }
    addErrors(errors, validateRequiredEnum(restartPolicy, path, ['NotRequired', 'RestartContainer']));
    if (spec.restartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, detail));
    }
  }
  return errors;
}

/** Validates the lifecycle hooks and probes of regular containers and sidecars. */
function validateLifecycleAndProbes(
  container: Container,
  path: string,
  { context, spec }: ContainerContext,
): FieldError[] {
  const lifecycleContext: LifecycleContext = {
    context,
    gracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 0,
    os: spec.os,
  };
  const { lifecycle } = container;
  const purposes = ['liveness', 'readiness', 'startup'] as const;
  return [
    ...(lifecycle ? validateLifecycle(lifecycle, `${path}.lifecycle`, lifecycleContext) : []),
    ...purposes.flatMap((purpose) => {
      const probe = container[`${purpose}Probe`];
      return probe ? validateProbe(probe, purpose, `${path}.${purpose}Probe`, lifecycleContext) : [];
    }),
  ];
}
