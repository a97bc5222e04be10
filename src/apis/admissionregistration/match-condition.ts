// The schemas of MatchCondition and Variable.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const MatchCondition = struct(
  'admissionregistration/v1.MatchCondition',
  {
    name: field(1, string, {
      required: true,
      doc: 'What the condition is called in logs and audit: a qualified name.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'A CEL expression, true where the request goes on. It knows `object`, `oldObject`, `request` and `authorizer`.',
    }),
  },
  { doc: 'Something that must hold of a request that has already been selected.' },
);
export type MatchCondition = Infer<typeof MatchCondition>;

export const Variable = struct(
  'admissionregistration/v1.Variable',
  {
    name: field(1, string, {
      required: true,
      doc: 'A CEL identifier: other expressions call it `variables.<name>`.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'The CEL expression it stands for, which may use the variables before it.',
    }),
  },
  { atomic: true, doc: 'A part of expressions with a name of its own, computed once and only when needed.' },
);
export type Variable = Infer<typeof Variable>;
