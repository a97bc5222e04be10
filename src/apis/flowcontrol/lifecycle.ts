// Lifecycles of the versions of the API group flowcontrol.apiserver.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const flowcontrolLifecycles: readonly VersionLifecycle[] = [
  { group: 'flowcontrol.apiserver', version: 'v1', introduced: '1.29' },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta1',
    introduced: '1.20',
    deprecated: '1.23',
    removed: '1.26',
    replacedBy: { group: 'flowcontrol.apiserver', version: 'v1beta2' },
    kinds: removedKinds('FlowSchema', 'PriorityLevelConfiguration'),
  },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta2',
    introduced: '1.23',
    deprecated: '1.26',
    removed: '1.29',
    replacedBy: { group: 'flowcontrol.apiserver', version: 'v1beta3' },
    kinds: removedKinds('FlowSchema', 'PriorityLevelConfiguration'),
  },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta3',
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
    ...replacedByV1('flowcontrol.apiserver'),
    kinds: removedKinds('FlowSchema', 'PriorityLevelConfiguration'),
  },
];
