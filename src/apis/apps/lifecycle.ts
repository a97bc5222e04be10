// API group apps: lifecycles of its versions.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const appsLifecycles: readonly VersionLifecycle[] = [
  { group: 'apps', version: 'v1', introduced: '1.9' },
  {
    group: 'apps',
    version: 'v1beta1',
    introduced: '1.6',
    deprecated: '1.8',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: removedKinds('ControllerRevision', 'Deployment', 'StatefulSet'),
  },
  {
    group: 'apps',
    version: 'v1beta2',
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: removedKinds('ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'),
  },
];
