// MutatingAdmissionPolicy: resource definition and printer columns. The server stores and validates these policies, but
// does not evaluate them.
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { validateMutatingPolicy } from './mutating-policy-validation.ts';
import { MutatingAdmissionPolicy } from './mutatingadmissionpolicy-schema.ts';
import { registrationStrategy } from './strategy.ts';
import { paramKind, paramKindColumn } from './table-cells.ts';

const mutatingAdmissionPolicyTable: TableLayout<MutatingAdmissionPolicy> = {
  columns: [nameColumn, column('Mutations', 'The number of mutations.', integer), paramKindColumn, ageColumn],
  cells: (policy, ages) => [
    policy.metadata.name ?? '',
    (policy.spec.mutations ?? []).length,
    paramKind(policy.spec.paramKind),
    age(policy, ages),
  ],
};

export const mutatingadmissionpolicies = ({ dialect }: KindContext) =>
  resource<MutatingAdmissionPolicy>({
    group: 'admissionregistration',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingAdmissionPolicy,
    table: mutatingAdmissionPolicyTable,
    strategy: registrationStrategy(MutatingAdmissionPolicy, 'spec', (object) =>
      validateMutatingPolicy(object, dialect),
    ),
  });
