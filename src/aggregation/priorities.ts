// API aggregation: the priorities of the group versions in their APIServices, as in kube-apiserver. Discovery orders
// groups and versions by them.
import type { ServedResource } from '../kind/registry.ts';
import { compareVersions } from '../kind/version-priority.ts';

/** Higher values come first. */
export interface ApiServicePriority {
  readonly group: number;
  readonly version: number;
}

/** Chooses the preferred version of a group; `groupId` is the group without the dialect's domain, such as `apps`. */
export type Preference = (groupId: string, versions: readonly string[]) => string;

/** Above the maximum that validation allows: apiregistration comes first. */
const highestPriority = 20_001;

/** groupPriorityMinimum of the built-in groups, by group id. */
const groupPriorities: Readonly<Record<string, number>> = {
  apiregistration: highestPriority,
  '': 18_000,
  apps: 17_800,
  events: 17_750,
  authentication: 17_700,
  authorization: 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  certificates: 17_300,
  networking: 17_200,
  policy: 17_100,
  'rbac.authorization': 17_000,
  storage: 16_800,
  admissionregistration: 16_700,
  apiextensions: 16_700,
  scheduling: 16_600,
  coordination: 16_500,
  node: 16_300,
  discovery: 16_200,
  resource: 16_200,
  'flowcontrol.apiserver': 16_100,
  'internal.apiserver': 16_000,
  storagemigration: 15_800,
  // As the APIService of metrics-server has it.
  metrics: 100,
};

const defaultVersionPriority = 15;

/** versionPriority of the versions that do not have the default one, by `<version>.<group id>`. */
const versionPriorities: Readonly<Record<string, number>> = {
  'v1.': 1,
  'v2.autoscaling': 30,
  'v1beta1.certificates': 9,
  'v1alpha1.certificates': 1,
  'v1beta1.networking': 9,
  'v1beta1.storage': 9,
  'v1alpha1.storage': 1,
  'v1beta1.admissionregistration': 12,
  'v1alpha1.admissionregistration': 9,
  'v1beta1.coordination': 13,
  'v1alpha2.coordination': 12,
  'v1beta1.resource': 9,
  'v1alpha3.resource': 1,
  'v1.flowcontrol.apiserver': 21,
  'v1alpha1.internal.apiserver': 9,
  'v1alpha1.storagemigration': 9,
  'v1beta1.metrics': 100,
};

/** All custom versions have the same priority and are ordered by name. */
const customPriority: ApiServicePriority = { group: 1000, version: 100 };

/** A group version that this server serves itself. */
export interface LocalVersion {
  readonly group: string;
  readonly version: string;
  readonly isCustom: boolean;
  readonly priority: ApiServicePriority;
}

/** The name of the APIService of a group version: `v1.apps`, or `v1.` for the core group. */
export const apiServiceName = ({ group, version }: { readonly group: string; readonly version: string }) =>
  `${version}.${group}`;

/** The group versions that this server serves, by APIService name. */
export function localVersions(
  resources: readonly ServedResource[],
  prefer?: Preference,
): ReadonlyMap<string, LocalVersion> {
  const versions = new Map<string, LocalVersion>();
  const builtInVersions = new Map<string, string[]>();
  for (const { group, version, definition } of resources) {
    const name = apiServiceName({ group, version });
    if (versions.has(name)) continue;
    const isCustom = definition.isCustom === true;
    const priority = isCustom ? customPriority : priorityOf(definition.group, version);
    versions.set(name, { group, version, isCustom, priority });
    if (!isCustom)
      builtInVersions.set(definition.group, [...(builtInVersions.get(definition.group) ?? []), version]);
  }
  if (prefer)
    for (const [groupId, versionNames] of builtInVersions)
      raisePreferred(versions, resources, groupId, versionNames, prefer);
  return versions;
}

function priorityOf(groupId: string, version: string): ApiServicePriority {
  return {
    group: groupPriorities[groupId] ?? customPriority.group,
    version: versionPriorities[`${version}.${groupId}`] ?? defaultVersionPriority,
  };
}

/** Raises the version that `prefer` chooses for a group above the others. */
function raisePreferred(
  versions: Map<string, LocalVersion>,
  resources: readonly ServedResource[],
  groupId: string,
  versionNames: readonly string[],
  prefer: Preference,
): void {
  const { group } = resources.find(({ definition }) => definition.group === groupId)!;
  const priorities = versionNames.map(
    (version) => versions.get(apiServiceName({ group, version }))!.priority.version,
  );
  const highest = Math.max(...priorities);
  const preferredName = apiServiceName({
    group,
    version: prefer(groupId, [...versionNames].sort(compareVersions)),
  });
  const preferredVersion = versions.get(preferredName)!;
  const { priority } = preferredVersion;
  if (priority.version === highest) return;
  versions.set(preferredName, { ...preferredVersion, priority: { ...priority, version: highest + 1 } });
}
