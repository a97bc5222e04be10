import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { v1beta1 } from './versions.ts';

export const ParentReference = struct('networking/v1.ParentReference', {
  group: field(1, string),
  resource: field(2, string, { required: true, omitEmpty: true }),
  namespace: field(3, string),
  name: field(4, string, { required: true, omitEmpty: true }),
});
export type ParentReference = Infer<typeof ParentReference>;

export const IPAddressSpec = struct('networking/v1.IPAddressSpec', {
  parentRef: field(1, optional(ParentReference), { required: true, omitEmpty: true }),
});
export type IPAddressSpec = Infer<typeof IPAddressSpec>;

export const IPAddress = kind(
  'networking/v1.IPAddress',
  {
    spec: field(2, IPAddressSpec),
  },
  { doc: '' },
);
export type IPAddress = Infer<typeof IPAddress>;

export const ipaddresses = (context: KindContext) =>
  resource<IPAddress>({
    group: 'networking',
    version: 'v1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    shortNames: ['ip'],
    namespaced: false,
    schema: IPAddress,
    strategy: plainStrategy(context, IPAddress),
  });

export const ipaddressesV1beta1 = (context: KindContext) =>
  alsoIn('v1beta1', ipaddresses(context), v1beta1.of(IPAddress));
