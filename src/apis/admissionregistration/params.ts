// The schemas of ParamKind and ParamRef: the parameters of admission policies. Field numbers are those of protobuf.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ParamKind = struct(
  'admissionregistration/v1.ParamKind',
  {
    apiVersion: field(1, string, { doc: 'The API group and version of the kind, as `group/version`.' }),
    kind: field(2, string, { doc: 'The kind of the parameter objects.' }),
  },
  { atomic: true, doc: 'The kind of the parameter objects of a policy.' },
);
export type ParamKind = Infer<typeof ParamKind>;

export const ParamRef = struct(
  'admissionregistration/v1.ParamRef',
  {
    name: field(1, string, { doc: 'The name of the parameter object. Mutually exclusive with `selector`.' }),
    namespace: field(2, string, {
      doc: 'The namespace of the parameter object. Defaults to the namespace of the request.',
    }),
    selector: field(3, optional(LabelSelector), {
      doc: 'Selects parameter objects by label. The policy is evaluated with each of them, and all must pass.',
    }),
    parameterNotFoundAction: field(
      4,
      optional(named('admissionregistration/v1.ParameterNotFoundActionType', openEnum('Allow', 'Deny'))),
      { doc: 'What happens if no parameter object is found: Allow or Deny.' },
    ),
  },
  { atomic: true, doc: 'A reference to the parameters of a policy.' },
);
export type ParamRef = Infer<typeof ParamRef>;
