import { age, unset } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { MutatingAdmissionPolicy } from './mutatingadmissionpolicy-schema.ts';
import type { MutatingAdmissionPolicyBinding } from './mutatingadmissionpolicybinding-schema.ts';
import type { MutatingWebhookConfiguration } from './mutatingwebhookconfiguration-schema.ts';
import type { ValidatingAdmissionPolicy } from './validatingadmissionpolicy-schema.ts';
import type { ValidatingAdmissionPolicyBinding } from './validatingadmissionpolicybinding-schema.ts';
import type { ValidatingWebhookConfiguration } from './validatingwebhookconfiguration-schema.ts';

const webhooks = column('Webhooks', 'How many webhooks are called.', integer);
const paramKindColumn = column('ParamKind', 'The kind of its parameters.');
const bindingColumns = [
  nameColumn,
  column('PolicyName', 'The policy.'),
  column('ParamRef', 'Its parameters.'),
  ageColumn,
];

export const webhookTable: TableLayout<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = {
  columns: [nameColumn, webhooks, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', (object.webhooks ?? []).length, age(object, now)],
};

export const validatingAdmissionPolicyTable: TableLayout<ValidatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column('Validations', 'How many checks it makes.', integer),
    paramKindColumn,
    ageColumn,
  ],
  cells: (policy, now) => [
    policy.metadata.name ?? '',
    (policy.spec.validations ?? []).length,
    paramKind(policy.spec.paramKind),
    age(policy, now),
  ],
};

export const mutatingAdmissionPolicyTable: TableLayout<MutatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column('Mutations', 'How many changes it makes.', integer),
    paramKindColumn,
    ageColumn,
  ],
  cells: (policy, now) => [
    policy.metadata.name ?? '',
    (policy.spec.mutations ?? []).length,
    paramKind(policy.spec.paramKind),
    age(policy, now),
  ],
};

function paramKind(kind: { apiVersion?: string; kind?: string } | undefined): string {
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : unset;
}

export const bindingTable: TableLayout<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> = {
  columns: bindingColumns,
  cells({ metadata, spec, ...rest }, now) {
    const { paramRef, policyName = '' } = spec;
    return [
      metadata.name ?? '',
      policyName,
      paramRef ? paramReference(paramRef) : unset,
      age({ ...rest, metadata }, now),
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
