// Lifecycles of the versions of the API group storage.

import { kindsWith, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const storageLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'storage',
    version: 'v1',
    introduced: '1.6',
    kinds: {
      CSIDriver: { introduced: '1.18' },
      CSINode: { introduced: '1.17' },
      CSIStorageCapacity: { introduced: '1.24' },
      VolumeAttachment: { introduced: '1.13' },
    },
  },
  { group: 'storage', version: 'v1alpha1', introduced: '1.29', deprecated: '1.32', removed: '1.35' },
  {
    group: 'storage',
    version: 'v1beta1',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: {
      ...kindsWith({ introduced: '1.14', deprecated: '1.19', removed: '1.22' }, 'CSIDriver'),
      ...kindsWith({ introduced: '1.14', deprecated: '1.17', removed: '1.22' }, 'CSINode'),
      ...kindsWith({ introduced: '1.21', deprecated: '1.24', removed: '1.27' }, 'CSIStorageCapacity'),
      ...kindsWith({ introduced: '1.4', deprecated: '1.19', removed: '1.22' }, 'StorageClass'),
      ...kindsWith({ introduced: '1.10', deprecated: '1.19', removed: '1.22' }, 'VolumeAttachment'),
    },
  },
];
