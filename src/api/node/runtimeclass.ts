import { list, mapOf } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { resourceList } from '../core/resource-list.ts';
import { Toleration } from '../core/toleration.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const Overhead = struct('node/v1.Overhead', {
  podFixed: field(1, resourceList),
});
export type Overhead = Infer<typeof Overhead>;

export const Scheduling = struct('node/v1.Scheduling', {
  nodeSelector: field(1, mapOf(string, { atomic: true })),
  tolerations: field(2, list(Toleration, { type: 'atomic' })),
});
export type Scheduling = Infer<typeof Scheduling>;

export const RuntimeClass = kind(
  'node/v1.RuntimeClass',
  {
    handler: field(2, string, { required: true }),
    overhead: field(3, optional(Overhead)),
    scheduling: field(4, optional(Scheduling)),
  },
  { doc: '' },
);
export type RuntimeClass = Infer<typeof RuntimeClass>;

export const runtimeclasses = (context: KindContext) =>
  resource<RuntimeClass>({
    group: 'node',
    version: 'v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    schema: RuntimeClass,
    strategy: plainStrategy(context, RuntimeClass),
  });
