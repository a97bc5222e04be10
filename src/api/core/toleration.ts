import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const taintEffect = named('core/v1.TaintEffect', oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'));

export const Toleration = struct('core/v1.Toleration', {
  key: field(1, string),
  operator: field(2, named('core/v1.TolerationOperator', oneOf('Exists', 'Equal'))),
  value: field(3, string),
  effect: field(4, taintEffect),
  tolerationSeconds: field(5, optional(int64)),
});
export type Toleration = Infer<typeof Toleration>;
