// API lifecycles of all groups: the releases that introduced, deprecated and removed each version and kind.

import { apiRelease, minorReleasesBetween } from '../base/release.ts';
import { type ApiKind, type Lifecycle, replacedByV1, type VersionLifecycle } from '../kind/lifecycle.ts';
import { admissionregistrationLifecycles } from './admissionregistration/lifecycle.ts';
import { apiextensionsLifecycles } from './apiextensions/lifecycle.ts';
import { apiregistrationLifecycles } from './apiregistration/lifecycle.ts';
import { apiserverinternalLifecycles } from './apiserverinternal/lifecycle.ts';
import { appsLifecycles } from './apps/lifecycle.ts';
import { authenticationLifecycles } from './authentication/lifecycle.ts';
import { authorizationLifecycles } from './authorization/lifecycle.ts';
import { autoscalingLifecycles } from './autoscaling/lifecycle.ts';
import { batchLifecycles } from './batch/lifecycle.ts';
import { certificatesLifecycles } from './certificates/lifecycle.ts';
import { coordinationLifecycles } from './coordination/lifecycle.ts';
import { coreLifecycles } from './core/lifecycle.ts';
import { discoveryLifecycles } from './discovery/lifecycle.ts';
import { eventsLifecycles } from './events/lifecycle.ts';
import { flowcontrolLifecycles } from './flowcontrol/lifecycle.ts';
import { networkingLifecycles } from './networking/lifecycle.ts';
import { nodeLifecycles } from './node/lifecycle.ts';
import { policyLifecycles } from './policy/lifecycle.ts';
import { rbacLifecycles } from './rbac/lifecycle.ts';
import { resourceLifecycles } from './resource/lifecycle.ts';
import { schedulingLifecycles } from './scheduling/lifecycle.ts';
import { storageLifecycles } from './storage/lifecycle.ts';
import { storagemigrationLifecycles } from './storagemigration/lifecycle.ts';

/** A removed group: this release serves no kind of it. */
const extensionsLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'extensions',
    version: 'v1beta1',
    introduced: '1.1',
    deprecated: '1.9',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: {
      DaemonSet: {},
      Deployment: {},
      ReplicaSet: {},
      NetworkPolicy: {
        introduced: '1.3',
        replacement: { group: 'networking', version: 'v1', kind: 'NetworkPolicy' },
      },
      Ingress: {
        deprecated: '1.14',
        removed: '1.22',
        replacement: { group: 'networking', version: 'v1', kind: 'Ingress' },
      },
    },
  },
];

/** Every version of every kind that a release up to this one has served. */
export const apiLifecycles: readonly VersionLifecycle[] = [
  ...coreLifecycles,
  ...admissionregistrationLifecycles,
  ...apiextensionsLifecycles,
  ...apiregistrationLifecycles,
  ...appsLifecycles,
  ...authenticationLifecycles,
  ...authorizationLifecycles,
  ...autoscalingLifecycles,
  ...batchLifecycles,
  ...certificatesLifecycles,
  ...coordinationLifecycles,
  ...discoveryLifecycles,
  ...eventsLifecycles,
  ...extensionsLifecycles,
  ...flowcontrolLifecycles,
  ...apiserverinternalLifecycles,
  ...networkingLifecycles,
  ...nodeLifecycles,
  ...policyLifecycles,
  ...rbacLifecycles,
  ...resourceLifecycles,
  ...schedulingLifecycles,
  ...storageLifecycles,
  ...storagemigrationLifecycles,
];

const byVersion = new Map(apiLifecycles.map((row) => [`${row.group}/${row.version}`, row]));

/** Undefined for custom resources. */
export function lifecycleOf({ group, version, kind }: ApiKind): Lifecycle | undefined {
  const row = byVersion.get(`${group}/${version}`);
  if (row === undefined) return undefined;
  const { introduced, deprecated, removed, replacedBy, kinds = {} } = row;
  return {
    introduced,
    ...(deprecated !== undefined && { deprecated }),
    ...(removed !== undefined && { removed }),
    ...(replacedBy !== undefined && { replacement: { ...replacedBy, kind } }),
    ...(Object.hasOwn(kinds, kind) && kinds[kind]),
  };
}

/** The release that introduced a group version; undefined for custom resources. */
export const introducedIn = (group: string, version: string): string | undefined =>
  byVersion.get(`${group}/${version}`)?.introduced;

/** Whether a release is at or after `since`. */
export const isReached = (since: string | undefined, release: string = apiRelease): since is string =>
  since !== undefined && minorReleasesBetween(since, release) >= 0;

/** Versions of webhook review objects: --runtime-config accepts them, but no path serves them. */
export const webhookVersions: readonly Pick<ApiKind, 'group' | 'version'>[] = [
  { group: 'admission', version: 'v1' },
  { group: 'admission', version: 'v1beta1' },
  { group: 'imagepolicy', version: 'v1alpha1' },
];

/**
 * Versions that earlier releases served. --runtime-config accepts them without effect: it may be older than the server.
 */
export const removedVersions: readonly Pick<ApiKind, 'group' | 'version'>[] = apiLifecycles.filter(
  ({ removed }) => isReached(removed),
);
