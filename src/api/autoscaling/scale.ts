import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { kind } from '../meta/kind.ts';

export const ScaleSpec = struct('autoscaling/v1.ScaleSpec', {
  replicas: field(1, int32),
});
export type ScaleSpec = Infer<typeof ScaleSpec>;

export const ScaleStatus = struct('autoscaling/v1.ScaleStatus', {
  replicas: field(1, int32, { required: true }),
  selector: field(2, string),
});
export type ScaleStatus = Infer<typeof ScaleStatus>;

export const Scale = kind(
  'autoscaling/v1.Scale',
  {
    spec: field(2, ScaleSpec),
    status: field(3, ScaleStatus),
  },
  { doc: '' },
);
export type Scale = Infer<typeof Scale>;
