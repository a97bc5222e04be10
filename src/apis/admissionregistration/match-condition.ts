// The schemas of MatchCondition and Variable: CEL expressions of webhooks and policies. Field numbers are those of protobuf.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const MatchCondition = struct(
  'admissionregistration/v1.MatchCondition',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the condition in logs and audit events: a qualified name.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'A CEL expression that is true if the request matches. Its variables are `object`, `oldObject`, `request` and `authorizer`.',
    }),
  },
  { doc: 'A condition that a request must meet in addition to the rules.' },
);
export type MatchCondition = Infer<typeof MatchCondition>;

export const Variable = struct(
  'admissionregistration/v1.Variable',
  {
    name: field(1, string, {
      required: true,
      doc: 'A CEL identifier, by which other expressions refer to the variable as `variables.<name>`.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'The CEL expression of the variable. It can refer to earlier variables.',
    }),
  },
  { atomic: true, doc: 'A named CEL expression, evaluated lazily and at most once.' },
);
export type Variable = Infer<typeof Variable>;
