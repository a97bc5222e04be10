// Pod and PodTemplateSpec: warnings about valid but deprecated or ineffective fields.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { deprecatedLabelWarning } from '../../kind/deprecated-labels.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { validLabelValue } from '../../schema/names.ts';
import type { Affinity, PodAffinity } from './affinity.ts';
import type { Container } from './container.ts';
import { portWarnings } from './container-ports-warnings.ts';
import type { NodeSelectorTerm } from './node-selector.ts';
import { appArmorDeprecation } from './pod-app-armor.ts';
import { containersWithPaths } from './pod-containers.ts';
import type { PodSpec } from './pod-spec.ts';
import { mustParseQuantity, type ResourceList } from './resource-list.ts';
import { volumeWarnings } from './volume-warnings.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Warnings for a pod, or for the pod template at `path`; '' for a pod. */
export function podWarnings(
  { metadata, spec }: { readonly metadata: ObjectMetadata; readonly spec: PodSpec },
  path: string,
  context: KindContext,
): string[] {
  const isTemplate = path !== '';
  const prefix = isTemplate ? `${path}.` : '';
  const fieldPath = `${prefix}spec`;
  const annotationsPath = `${prefix}metadata.annotations`;
  const annotations = annotationWarnings(metadata, spec, annotationsPath, context, { isTemplate });
  return [
    ...nodeLabelWarnings(spec, fieldPath, context),
    ...annotations.criticalPod,
    ...volumeWarnings(spec.volumes ?? [], `${fieldPath}.volumes`),
    ...duplicateWarnings(
      (spec.hostAliases ?? []).map(({ ip }) => ip),
      (i, ip) => `${fieldPath}.hostAliases[${i}].ip: duplicate ip "${ip}"`,
    ),
    ...pullSecretWarnings(spec, `${fieldPath}.imagePullSecrets`),
    ...fractionalByteWarnings(spec.overhead, 'memory', `${fieldPath}.overhead`),
    ...fractionalByteWarnings(spec.overhead, 'ephemeral-storage', `${fieldPath}.overhead`),
    ...annotations.podSeccomp,
    ...[...containersWithPaths(spec, fieldPath)].flatMap(({ container, path: containerPath }) => [
      ...annotations.forContainer(container),
      ...resourceWarnings(container, `${containerPath}.resources`),
      ...envWarnings(container, `${containerPath}.env`),
    ]),
    ...portWarnings(spec, fieldPath),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${fieldPath}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...(spec.affinity ? podAffinityWarnings(spec.affinity, `${fieldPath}.affinity`) : []),
    ...addressWarnings(spec, fieldPath, context),
  ];
}

function duplicateWarnings(values: readonly string[], warn: (i: number, value: string) => string): string[] {
  const seen = new Set<string>();
  return values.flatMap((value, i) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [warn(i, value)] : [];
  });
}

/** Warns about deprecated node labels in nodeSelector, affinity and topology spread constraints. */
function nodeLabelWarnings(spec: PodSpec, path: string, { dialect }: KindContext): string[] {
  const warnings: string[] = [];
  const addLabelWarning = (label: string, format: (advice: string) => string) => {
    const advice = deprecatedLabelWarning(label, dialect);
    if (advice) warnings.push(format(advice));
  };
  const addTermWarnings = (
    { matchExpressions = [] }: NodeSelectorTerm,
    fieldPath: string,
    { isPreferred }: { isPreferred: boolean },
  ) => {
    for (const [i, { key, values = [] }] of matchExpressions.entries()) {
      addLabelWarning(key, (advice) => `${fieldPath}.matchExpressions[${i}].key: ${key} is ${advice}`);
      // Validation rejects invalid values in required terms, but not in preferred ones.
      if (!isPreferred) continue;
      for (const [j, value] of values.entries()) {
        for (const problem of validLabelValue(value)) {
          warnings.push(`${fieldPath}.matchExpressions[${i}].values[${j}]: ${value} is invalid, ${problem}`);
        }
      }
    }
  };
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    addLabelWarning(key, (advice) => `${path}.nodeSelector[${key}]: ${advice}`);
  }
  const { [requiredTerms]: mandatory, [preferredTerms]: preferred = [] } = spec.affinity?.nodeAffinity ?? {};
  const affinityPath = `${path}.affinity.nodeAffinity`;
  for (const [i, term] of (mandatory?.nodeSelectorTerms ?? []).entries()) {
    const termPath = `${affinityPath}.${requiredTerms}.nodeSelectorTerms[${i}]`;
    addTermWarnings(term, termPath, { isPreferred: false });
  }
  for (const [i, { preference }] of preferred.entries()) {
    const termPath = `${affinityPath}.${preferredTerms}[${i}].preference`;
    addTermWarnings(preference, termPath, { isPreferred: true });
  }
  for (const [i, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const fieldPath = `${path}.topologySpreadConstraints[${i}]`;
    addLabelWarning(topologyKey, (advice) => `${fieldPath}.topologyKey: ${topologyKey} is ${advice}`);
    if (!labelSelector) warnings.push(nullSelectorWarning(fieldPath));
  }
  return warnings;
}

const nullSelectorWarning = (path: string) =>
  `${path}.labelSelector: a null labelSelector results in matching no pod`;

/** Warns about annotations that a field has replaced. */
function annotationWarnings(
  { annotations = {} }: ObjectMetadata,
  spec: PodSpec,
  path: string,
  { dialect }: KindContext,
  { isTemplate }: { isTemplate: boolean },
) {
  const names = dialect.annotations;
  const warnIfAnnotated = (name: string, advice: string, field: string) =>
    annotations[name] === undefined ? [] : [`${path}[${name}]: ${advice}; use the "${field}" field instead`];
  const seccomp = (name: string) => warnIfAnnotated(name, 'non-functional in v1.27+', 'seccompProfile');
  return {
    criticalPod: warnIfAnnotated(names.criticalPod, 'non-functional in v1.16+', 'priorityClassName'),
    podSeccomp: spec.securityContext?.seccompProfile ? [] : seccomp(names.podSeccomp),
    forContainer({ name, securityContext }: Pick<Container, 'name' | 'securityContext'>): string[] {
      const appArmor = names.containerAppArmorPrefix + name;
      // For pods, syncAppArmor has issued this warning already.
      const hasAppArmorAnnotation = isTemplate && annotations[appArmor] !== undefined;
      return [
        ...(securityContext?.seccompProfile ? [] : seccomp(names.containerSeccompPrefix + name)),
        ...(hasAppArmorAnnotation && !securityContext?.appArmorProfile
          ? [appArmorDeprecation(`${path}[${appArmor}]`)]
          : []),
      ];
    },
  };
}

function pullSecretWarnings({ imagePullSecrets = [] }: PodSpec, path: string): string[] {
  const names = imagePullSecrets.map(({ name = '' }) => name);
  return [
    ...duplicateWarnings(names, (i, name) => `${path}[${i}].name: duplicate name "${name}"`),
    ...names.flatMap((name, i) => (name === '' ? [`${path}[${i}].name: invalid empty name ""`] : [])),
  ];
}

function resourceWarnings({ resources }: Pick<Container, 'resources'>, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => [
    ...fractionalByteWarnings(resources.limits, name, `${path}.limits`),
    ...fractionalByteWarnings(resources.requests, name, `${path}.requests`),
  ]);
}

/** Warns about memory and storage quantities with a fraction of a byte. */
function fractionalByteWarnings(amounts: ResourceList | undefined, name: string, path: string): string[] {
  const text = amounts?.[name];
  if (text === undefined) return [];
  const { amount, scale } = mustParseQuantity(text);
  if (scale >= 0 || amount % 10n ** BigInt(-scale) === 0n) return [];
  return [`${path}[${name}]: fractional byte value "${text}" is invalid, must be an integer`];
}

/** Warns about duplicate variables, unless the later one refers to the earlier value (`$(NAME)`). */
function envWarnings({ env = [] }: Pick<Container, 'env'>, path: string): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name, value = '' }, i) => {
    const isShadowing = seen.has(name) && !value.includes(`$(${name})`);
    seen.add(name);
    if (!isShadowing) return [];
    return [`${path}[${i}]: hides previous definition of "${name}", which may be dropped when using apply`];
  });
}

/** Warns about pod affinity terms without a labelSelector, which match no pods. */
function podAffinityWarnings({ podAffinity, podAntiAffinity }: Affinity, path: string): string[] {
  const nullSelectorWarnings = (affinity: PodAffinity = {}, fieldPath: string) => [
    ...(affinity[requiredTerms] ?? []).flatMap(({ labelSelector }, i) =>
      labelSelector ? [] : [nullSelectorWarning(`${fieldPath}.${requiredTerms}[${i}]`)],
    ),
    ...(affinity[preferredTerms] ?? []).flatMap(({ podAffinityTerm }, i) =>
      podAffinityTerm.labelSelector
        ? []
        : [nullSelectorWarning(`${fieldPath}.${preferredTerms}[${i}].podAffinityTerm`)],
    ),
  ];
  return [
    ...nullSelectorWarnings(podAffinity, `${path}.podAffinity`),
    ...nullSelectorWarnings(podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

/** Warns about IP addresses in a non-canonical form. */
function addressWarnings(
  { dnsConfig, hostAliases = [] }: PodSpec,
  path: string,
  context: KindContext,
): string[] {
  const { ipWarnings } = addressRules(context);
  return [
    ...(dnsConfig?.nameservers ?? []).flatMap((ip, i) =>
      ipWarnings(ip, `${path}.dnsConfig.nameservers[${i}]`),
    ),
    ...hostAliases.flatMap(({ ip }, i) => ipWarnings(ip, `${path}.hostAliases[${i}].ip`)),
  ];
}
