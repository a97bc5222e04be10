// Pod: drops fields of disabled feature gates, unless the old object already uses them.
import type { KindContext } from '../../kind/context.ts';
import type { Features } from '../../kind/features/features.ts';
import type { GateName } from '../../kind/features/gate-table.ts';
import type { Container } from './container.ts';
import { containersWithPaths } from './pod-containers.ts';
import type { PodSpec } from './pod-spec.ts';
import type { ContainerStatus, PodStatus } from './pod-status.ts';
import { dropDisabledVolumes } from './volume-gates.ts';

/** Drops spec fields of disabled features, unless the old spec uses them. */
export function dropDisabledPodFields(spec: PodSpec, old: PodSpec | undefined, features: Features): void {
  dropDisabledVolumes(spec, old, features);
  dropDisabled(spec, old, gatedSpecFields, features);
}

/** As dropDisabledPodFields, for kinds with a pod template. */
export function dropDisabledTemplateFields<T>(
  { features }: KindContext,
  specOf: (object: T) => PodSpec | undefined,
): (object: T, old?: T) => void {
  return (object, old) => {
    const spec = specOf(object);
    if (spec) dropDisabledPodFields(spec, old && specOf(old), features);
  };
}

/** Drops status fields of disabled features, unless the old status uses them. */
export function dropDisabledPodStatus(status: PodStatus, old: PodStatus, features: Features): void {
  dropDisabled(status, old, gatedStatusFields, features);
}

/** A field, or several, of a pod's spec or status (`T`) that requires a feature gate. */
interface GatedField<T> {
  readonly gate: GateName;
  has(part: T): boolean;
  drop(part: T): void;
}

function dropDisabled<T>(
  part: T,
  old: T | undefined,
  gatedFields: readonly GatedField<T>[],
  features: Features,
): void {
  for (const { gate, has, drop } of gatedFields) {
    const isInUse = old !== undefined && has(old);
    if (!features.enabled(gate) && !isInUse) drop(part);
  }
}

const gatedSpecFields: readonly GatedField<PodSpec>[] = [
  {
    gate: 'PodLevelResources',
    has: ({ resources }) => resources !== undefined,
    drop: (spec) => delete spec.resources,
  },
  {
    gate: 'DynamicResourceAllocation',
    has: ({ resourceClaims }) => resourceClaims !== undefined,
    drop(spec) {
      delete spec.resourceClaims;
      for (const { resources } of allContainers(spec)) delete resources.claims;
    },
  },
  {
    gate: 'ContainerStopSignals',
    has: (spec) => allContainers(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop(spec) {
      for (const container of allContainers(spec)) {
        const { lifecycle } = container;
        if (lifecycle?.stopSignal === undefined) continue;
        delete lifecycle.stopSignal;
        if (!lifecycle.postStart && !lifecycle.preStop) delete container.lifecycle;
      }
    },
  },
  {
    gate: 'UserNamespacesSupport',
    has: ({ hostUsers }) => hostUsers !== undefined,
    drop: (spec) => delete spec.hostUsers,
  },
  podSecurityField('SupplementalGroupsPolicy', 'supplementalGroupsPolicy'),
  podSecurityField('SELinuxChangePolicy', 'seLinuxChangePolicy'),
  {
    gate: 'ProcMountType',
    has: (spec) =>
      allContainers(spec).some(({ securityContext }) => securityContext?.procMount !== undefined),
    drop(spec) {
      for (const { securityContext } of allContainers(spec)) delete securityContext?.procMount;
    },
  },
];

function podSecurityField(
  gate: GateName,
  field: 'supplementalGroupsPolicy' | 'seLinuxChangePolicy',
): GatedField<PodSpec> {
  return {
    gate,
    has: ({ securityContext }) => securityContext?.[field] !== undefined,
    drop: ({ securityContext }) => delete securityContext?.[field],
  };
}

function allContainers(spec: PodSpec): Pick<Container, 'resources' | 'lifecycle' | 'securityContext'>[] {
  return [...containersWithPaths(spec, '')].map(({ container }) => container);
}

const gatedStatusFields: readonly GatedField<PodStatus>[] = [
  {
    gate: 'PodObservedGenerationTracking',
    has: ({ observedGeneration, conditions = [] }) =>
      !!observedGeneration || conditions.some((condition) => condition.observedGeneration),
    drop(status) {
      delete status.observedGeneration;
      for (const condition of status.conditions ?? []) delete condition.observedGeneration;
    },
  },
  {
    gate: 'DynamicResourceAllocation',
    has: ({ resourceClaimStatuses }) => resourceClaimStatuses !== undefined,
    drop: (status) => delete status.resourceClaimStatuses,
  },
  containerStatusField('ResourceHealthStatus', 'allocatedResourcesStatus'),
  containerStatusField('InPlacePodVerticalScaling', 'allocatedResources'),
  containerStatusField('InPlacePodVerticalScaling', 'resources'),
];

function containerStatusField(
  gate: GateName,
  field: 'allocatedResourcesStatus' | 'allocatedResources' | 'resources',
): GatedField<PodStatus> {
  const containerStatuses = (status: PodStatus): ContainerStatus[] => [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  return {
    gate,
    has: (status) => containerStatuses(status).some((container) => container[field] !== undefined),
    drop(status) {
      for (const container of containerStatuses(status)) delete container[field];
    },
  };
}
