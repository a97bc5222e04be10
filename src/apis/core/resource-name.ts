// ResourceName: enum of the standard resource names.
import { named, openEnum } from '../../schema/scalars.ts';

export const resourceName = named(
  'core/v1.ResourceName',
  openEnum(
    'cpu',
    'memory',
    'storage',
    'ephemeral-storage',
    'pods',
    'services',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'configmaps',
    'persistentvolumeclaims',
    'services.nodeports',
    'services.loadbalancers',
    'requests.cpu',
    'requests.memory',
    'requests.storage',
    'requests.ephemeral-storage',
    'limits.cpu',
    'limits.memory',
    'limits.ephemeral-storage',
  ),
);
