// ValidatingAdmissionPolicy: resource definition (v1 and v1beta1), strategy and printer columns.
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { KindContext } from '../../kind/context.ts';
import { statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { AdmissionChecker } from './policy-expressions.ts';
import { validatePolicy, validatePolicyStatus } from './policy-validation.ts';
import { registrationStrategy } from './strategy.ts';
import { paramKind, paramKindColumn } from './table-cells.ts';
import { ValidatingAdmissionPolicy } from './validatingadmissionpolicy-schema.ts';
import { v1beta1 } from './versions.ts';

const validatingAdmissionPolicyTable: TableLayout<ValidatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column('Validations', 'The number of validations.', integer),
    paramKindColumn,
    ageColumn,
  ],
  cells: (policy, ages) => [
    policy.metadata.name ?? '',
    (policy.spec.validations ?? []).length,
    paramKind(policy.spec.paramKind),
    age(policy, ages),
  ],
};

export const validatingadmissionpolicies = (context: KindContext) => {
  const checker = new CelOnDemand((cel) => new AdmissionChecker(cel, context.dialect.name));
  return resource<ValidatingAdmissionPolicy>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingAdmissionPolicy,
    maxBytes: maxReconciledBytes,
    table: validatingAdmissionPolicyTable,
    strategy: registrationStrategy(
      ValidatingAdmissionPolicy,
      'spec',
      (object, old) =>
        validatePolicy(object, context.dialect, checker.value.checksOf(object.spec, old?.spec)),
      () => checker.load(),
    ),
    subresources: {
      status: statusSubresourceKeepingMetadata(context, ValidatingAdmissionPolicy, ({ status }) =>
        validatePolicyStatus(status),
      ),
    },
  });
};

/** v1beta1 has the same fields as v1. */
export const validatingadmissionpoliciesV1beta1 = (context: KindContext) =>
  definitionInVersion('v1beta1', validatingadmissionpolicies(context), v1beta1.of(ValidatingAdmissionPolicy));
