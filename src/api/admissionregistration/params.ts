import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { LabelSelector } from '../meta/label-selector.ts';

export const ParamKind = struct(
  'admissionregistration/v1.ParamKind',
  {
    apiVersion: field(1, string),
    kind: field(2, string),
  },
  { atomic: true },
);
export type ParamKind = Infer<typeof ParamKind>;

export const ParamRef = struct(
  'admissionregistration/v1.ParamRef',
  {
    name: field(1, string),
    namespace: field(2, string),
    selector: field(3, optional(LabelSelector)),
    parameterNotFoundAction: field(
      4,
      optional(named('admissionregistration/v1.ParameterNotFoundActionType', oneOf('Allow', 'Deny'))),
    ),
  },
  { atomic: true },
);
export type ParamRef = Infer<typeof ParamRef>;
