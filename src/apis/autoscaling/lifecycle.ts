// API group autoscaling: lifecycles of its versions.

import { removedKinds, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const autoscalingLifecycles: readonly VersionLifecycle[] = [
  { group: 'autoscaling', version: 'v1', introduced: '1.2' },
  { group: 'autoscaling', version: 'v2', introduced: '1.23' },
  {
    group: 'autoscaling',
    version: 'v2beta1',
    introduced: '1.8',
    deprecated: '1.22',
    removed: '1.25',
    replacedBy: { group: 'autoscaling', version: 'v2' },
    kinds: removedKinds('HorizontalPodAutoscaler'),
  },
  {
    group: 'autoscaling',
    version: 'v2beta2',
    introduced: '1.12',
    deprecated: '1.23',
    removed: '1.26',
    replacedBy: { group: 'autoscaling', version: 'v2' },
    kinds: removedKinds('HorizontalPodAutoscaler'),
  },
];
