// CustomResourceDefinition status: the condition KubernetesAPIApprovalPolicyConformant, for definitions in protected groups
// (`*.k8s.io`), which need the api-approved annotation.
import { type Approval, approvalOf } from '../../apis/apiextensions/approval.ts';
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';
import type { CustomResourceDefinitionCondition } from './naming-condition.ts';

const reasons: Readonly<Record<Approval['state'], string>> = {
  approved: 'ApprovedAnnotation',
  unapproved: 'UnapprovedAnnotation',
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
};

/** Does nothing for a definition in any other group. */
export function setApiApprovalCondition(
  definition: CustomResourceDefinition,
  conditions: CustomResourceDefinitionCondition[],
  dialect: Dialect,
  now: string,
): void {
  const approval = approvalOf(definition, dialect);
  if (!approval) return;
  const { state, message } = approval;
  const type = dialect.apiApprovalCondition as CustomResourceDefinitionCondition['type'];
  const status = state === 'approved' ? 'True' : 'False';
  setCondition(
    conditions,
    { type, status, reason: reasons[state], message } as CustomResourceDefinitionCondition,
    now,
  );
}
