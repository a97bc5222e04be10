// Lifecycles of the versions of the API group scheduling.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const schedulingLifecycles: readonly VersionLifecycle[] = [
  { group: 'scheduling', version: 'v1', introduced: '1.14' },
  {
    group: 'scheduling',
    version: 'v1alpha1',
    introduced: '1.8',
    deprecated: '1.14',
    removed: '1.22',
    ...replacedByV1('scheduling'),
    kinds: removedKinds('PriorityClass'),
  },
  {
    group: 'scheduling',
    version: 'v1beta1',
    introduced: '1.11',
    deprecated: '1.14',
    removed: '1.22',
    ...replacedByV1('scheduling'),
    kinds: removedKinds('PriorityClass'),
  },
];
