// Pod: validation of the spec, of a pod or of a pod template (upstream: ValidatePodSpec). Errors are in
// kube-apiserver's order.
import { addErrors, duplicate, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateLabels } from '../../kind/meta/validation.ts';
import { dnsLabel, type NameRule, nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { validateAffinity, validateTopologySpread } from './affinity-validation.ts';
import {
  type ContainerContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  validateRequiredEnum,
} from './container-validation.ts';
import { validateDnsConfig, validateHostAliases } from './pod-network-validation.ts';
import { validateHostProcesses, validateOperatingSystem } from './pod-os-validation.ts';
import { validatePodResources } from './pod-resources-validation.ts';
import { PodResourceClaim, type PodSpec } from './pod-spec.ts';
import { validateOverhead } from './resource-requirements-validation.ts';
import { validateHostUsers, validatePodSecurityContext } from './security-context-validation.ts';
import { validateTolerations } from './toleration-validation.ts';
import { validateVolumes } from './volume-validation.ts';

/** Validates the spec of a pod or, without `meta`, of a pod template. */
export function validatePodSpec(
  spec: PodSpec,
  meta: ObjectMetadata | undefined,
  path: string,
  context: KindContext,
): FieldError[] {
  const podName = meta?.name ?? '';
  const volumes = validateVolumes(spec.volumes ?? [], `${path}.volumes`, { ...context, podName });
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter((name) => name !== ''));
  const containerContext: ContainerContext = { context, spec, volumes: volumes.sources, claims };
  return [
    ...volumes.errors,
    ...validateResourceClaims(spec.resourceClaims ?? [], `${path}.resourceClaims`),
    ...validateContainers(containerContext, `${path}.containers`),
    ...validateInitContainers(containerContext, `${path}.initContainers`),
    ...validateEphemeralContainers(containerContext, `${path}.ephemeralContainers`),
    ...validatePodResources(spec, claims, `${path}.resources`, context),
    ...validateHostPorts(spec, path),
    ...validateRequiredEnum(spec.restartPolicy, `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...validateRequiredEnum(spec.dnsPolicy, `${path}.dnsPolicy`, dnsPolicies),
    ...validateNodeSelectorLabels(spec, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`, context),
    ...(spec.affinity ? validateAffinity(spec.affinity, `${path}.affinity`) : []),
    ...validateDnsConfig(spec.dnsConfig, spec.dnsPolicy, `${path}.dnsConfig`, context),
    ...validateGates(spec, path),
    ...validateTopologySpread(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
    ...validateHostProcesses(spec, path, context),
    ...validateHostUsers(spec, path),
    ...validateOptionalName(spec.serviceAccountName, nameIsSubdomain, `${path}.serviceAccountName`),
    ...validateOptionalName(spec.nodeName, nameIsSubdomain, `${path}.nodeName`),
    ...validateDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...validateOptionalName(spec.hostname, dnsLabel, `${path}.hostname`),
    ...validateOptionalName(spec.subdomain, dnsLabel, `${path}.subdomain`),
    ...validateTolerations(spec.tolerations ?? [], `${path}.tolerations`),
    ...validateHostAliases(spec.hostAliases ?? [], `${path}.hostAliases`, context),
    ...validateOptionalName(spec.priorityClassName, nameIsSubdomain, `${path}.priorityClassName`),
    ...(spec.runtimeClassName === undefined
      ? []
      : validateName(spec.runtimeClassName, nameIsSubdomain, `${path}.runtimeClassName`)),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateRequiredEnum(spec.preemptionPolicy, `${path}.preemptionPolicy`, [
          'PreemptLowerPriority',
          'Never',
        ])),
    ...validateOverhead(spec.overhead, `${path}.overhead`, context),
    ...validateOperatingSystem(spec, path),
  ];
}

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function validateName(name: string, rule: NameRule, path: string): FieldError[] {
  return rule(name).map((problem) => invalid(path, name, problem));
}

/** As validateName, but an empty name counts as absent. */
function validateOptionalName(name: string | undefined, rule: NameRule, path: string): FieldError[] {
  return name ? validateName(name, rule, path) : [];
}

function validateNodeSelectorLabels({ nodeSelector = {} }: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  validateLabels(nodeSelector, path, errors);
  return errors;
}

const maxDeadlineSeconds = 2 ** 31 - 1;

function validateDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= maxDeadlineSeconds)) return [];
  return [invalid(path, seconds, `must be between 1 and ${maxDeadlineSeconds}, inclusive`)];
}

/** With hostNetwork, hostPort must equal containerPort. */
function validateHostPorts(spec: PodSpec, path: string): FieldError[] {
  if (!spec.hostNetwork) return [];
  const errors: FieldError[] = [];
  for (const [i, { ports = [] }] of (spec.containers ?? []).entries()) {
    for (const [j, { hostPort, containerPort }] of ports.entries()) {
      if (!hostPort || hostPort === containerPort) continue;
      const fieldPath = `${path}.containers[${i}].ports[${j}].hostPort`;
      errors.push(invalid(fieldPath, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }
  return errors;
}

function validateGates({ readinessGates = [], schedulingGates = [] }: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { conditionType }] of readinessGates.entries()) {
    const fieldPath = `${path}.readinessGates[${i}].conditionType`;
    addErrors(
      errors,
      qualifiedName(conditionType).map((problem) => invalid(fieldPath, conditionType, problem)),
    );
  }
  const seen = new Set<string>();
  for (const [i, { name }] of schedulingGates.entries()) {
    const fieldPath = `${path}.schedulingGates[${i}]`;
    addErrors(
      errors,
      qualifiedName(name).map((problem) => invalid(fieldPath, name, problem)),
    );
    if (seen.has(name)) errors.push(duplicate(fieldPath, name));
    seen.add(name);
  }
  return errors;
}

function validateResourceClaims(claims: readonly PodResourceClaim[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const fieldPath = `${path}[${i}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === '') errors.push(required(`${fieldPath}.name`));
    else if (seen.has(name)) errors.push(duplicate(`${fieldPath}.name`, name));
    else {
      addErrors(errors, validateName(name, dnsLabel, `${fieldPath}.name`));
      seen.add(name);
    }
    const hasClaimName = resourceClaimName !== undefined;
    const hasTemplateName = resourceClaimTemplateName !== undefined;
    if (hasClaimName === hasTemplateName) {
      const badValue = goSyntaxOfType(PodResourceClaim, claim);
      const detail = hasClaimName
        ? 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
        : 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalid(fieldPath, badValue, detail));
    }
    if (hasClaimName)
      addErrors(errors, validateName(resourceClaimName, nameIsSubdomain, `${fieldPath}.resourceClaimName`));
    if (hasTemplateName) {
      addErrors(
        errors,
        validateName(resourceClaimTemplateName, nameIsSubdomain, `${fieldPath}.resourceClaimTemplateName`),
      );
    }
  }
  return errors;
}
