// Core API group: lifecycles of its versions.

import type { VersionLifecycle } from '../../kind/lifecycle.ts';

export const coreLifecycles: readonly VersionLifecycle[] = [
  {
    group: '',
    version: 'v1',
    introduced: '1.0',
    kinds: {
      ComponentStatus: { deprecated: '1.19' },
      Endpoints: {
        deprecated: '1.33',
        replacement: { group: 'discovery', version: 'v1', kind: 'EndpointSlice' },
      },
    },
  },
];
