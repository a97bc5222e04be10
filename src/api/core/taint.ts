import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { taintEffect } from './toleration.ts';

export const Taint = struct('core/v1.Taint', {
  key: field(1, string, { required: true }),
  value: field(2, string),
  effect: field(3, taintEffect, { required: true }),
  timeAdded: field(4, optional(time)),
});
export type Taint = Infer<typeof Taint>;
