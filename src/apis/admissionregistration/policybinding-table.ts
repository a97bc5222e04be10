// The printer columns of policy bindings.
import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { MutatingAdmissionPolicyBinding } from './mutatingadmissionpolicybinding-schema.ts';
import type { ValidatingAdmissionPolicyBinding } from './validatingadmissionpolicybinding-schema.ts';

const bindingColumns = [
  nameColumn,
  column('PolicyName', 'The name of the policy.'),
  column('ParamRef', 'The parameters of the policy.'),
  ageColumn,
];

export const bindingTable: TableLayout<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> = {
  columns: bindingColumns,
  cells({ metadata, spec, ...rest }, ages) {
    const { paramRef, policyName = '' } = spec;
    return [
      metadata.name ?? '',
      policyName,
      paramRef ? paramReference(paramRef) : unset,
      age({ ...rest, metadata }, ages),
    ];
  },
};

function paramReference({
  namespace,
  name,
  selector,
}: {
  namespace?: string;
  name?: string;
  selector?: unknown;
}) {
  if (!name) return selector ? '*' : unset;
  return namespace ? `${namespace}/${name}` : `*/${name}`;
}
