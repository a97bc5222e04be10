import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const MatchCondition = struct('admissionregistration/v1.MatchCondition', {
  name: field(1, string, { required: true }),
  expression: field(2, string, { required: true }),
});
export type MatchCondition = Infer<typeof MatchCondition>;

export const Variable = struct(
  'admissionregistration/v1.Variable',
  {
    name: field(1, string, { required: true }),
    expression: field(2, string, { required: true }),
  },
  { atomic: true },
);
export type Variable = Infer<typeof Variable>;
