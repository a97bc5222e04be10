import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const IngressClassParametersReference = struct('networking/v1.IngressClassParametersReference', {
  apiGroup: field(1, optional(string)),
  kind: field(2, string, { required: true }),
  name: field(3, string, { required: true }),
  scope: field(4, optional(string), { alwaysWritten: true }),
  namespace: field(5, optional(string)),
});
export type IngressClassParametersReference = Infer<typeof IngressClassParametersReference>;

export const IngressClassSpec = struct('networking/v1.IngressClassSpec', {
  controller: field(1, string),
  parameters: field(2, optional(IngressClassParametersReference)),
});
export type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = kind(
  'networking/v1.IngressClass',
  {
    spec: field(2, IngressClassSpec),
  },
  { doc: '' },
);
export type IngressClass = Infer<typeof IngressClass>;

export const ingressclasses = (context: KindContext) =>
  resource<IngressClass>({
    group: 'networking',
    version: 'v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    schema: IngressClass,
    strategy: plainStrategy(context, IngressClass),
  });
