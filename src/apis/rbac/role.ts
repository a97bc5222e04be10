// Role: schema and resource definition.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { roleEscalationGuard } from './escalation.ts';
import { PolicyRule, validatePolicyRules } from './policy-rule.ts';
import { updateValidation } from './validate-update.ts';

export const Role = kind(
  'rbac/v1.Role',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The rules of the Role.',
    }),
  },
  { doc: 'A set of permissions in one namespace. A RoleBinding grants it.' },
);
export type Role = Infer<typeof Role>;

export const roles = ({ dialect }: KindContext) => {
  const validate = ({ metadata, rules }: Role) => [
    ...validateFinalizersQualified(metadata, dialect),
    ...validatePolicyRules(rules, { namespaced: true }, dialect.rules),
  ];
  return resource<Role>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'Role',
    plural: 'roles',
    schema: Role,
    strategy: {
      validateName: nameIsPathSegment,
      guard: roleEscalationGuard,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate,
      validateUpdate: updateValidation(validate, { namespaced: true }, dialect),
    },
  });
};
