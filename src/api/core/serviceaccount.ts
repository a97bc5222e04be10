import { list } from '../../schema/collections.ts';
import { bool } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';

export const ServiceAccount = kind(
  'core/v1.ServiceAccount',
  {
    secrets: field(
      2,
      list(ObjectReference, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
    ),
    imagePullSecrets: field(3, list(LocalObjectReference, { type: 'atomic' })),
    automountServiceAccountToken: field(4, optional(bool)),
  },
  { doc: '' },
);
export type ServiceAccount = Infer<typeof ServiceAccount>;

export const serviceaccounts = (context: KindContext) =>
  resource<ServiceAccount>({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    schema: ServiceAccount,
    strategy: plainStrategy(context, ServiceAccount),
  });
