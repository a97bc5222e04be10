// API group batch: lifecycles of its versions.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const batchLifecycles: readonly VersionLifecycle[] = [
  { group: 'batch', version: 'v1', introduced: '1.2', kinds: { CronJob: { introduced: '1.21' } } },
  {
    group: 'batch',
    version: 'v1beta1',
    introduced: '1.8',
    deprecated: '1.21',
    removed: '1.25',
    ...replacedByV1('batch'),
    kinds: removedKinds('CronJob'),
  },
];
