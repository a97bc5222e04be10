// The schemas of ParamKind and ParamRef.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ParamKind = struct(
  'admissionregistration/v1.ParamKind',
  {
    apiVersion: field(1, string, { doc: 'The version of the kind: `group/version`.' }),
    kind: field(2, string, { doc: 'The kind.' }),
  },
  { atomic: true, doc: 'The kind of the objects that a policy takes its parameters from.' },
);
export type ParamKind = Infer<typeof ParamKind>;

export const ParamRef = struct(
  'admissionregistration/v1.ParamRef',
  {
    name: field(1, string, { doc: 'The object that holds the parameters. Either this or `selector`.' }),
    namespace: field(2, string, {
      doc: 'Where it is; without this, the namespace of the object that is being written.',
    }),
    selector: field(3, optional(LabelSelector), {
      doc: 'Selects the objects by their labels; the policy must hold for each of them.',
    }),
    parameterNotFoundAction: field(
      4,
      optional(named('admissionregistration/v1.ParameterNotFoundActionType', oneOf('Allow', 'Deny'))),
      { doc: 'What becomes of a request where no such object is found.' },
    ),
  },
  { atomic: true, doc: 'Where a policy finds its parameters.' },
);
export type ParamRef = Infer<typeof ParamRef>;
