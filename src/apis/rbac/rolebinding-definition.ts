// Resource definition of RoleBinding: names, verbs, strategy and subresources.

import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bindingEscalationGuard } from './escalation.ts';
import { defaultApiGroups, validateBinding, validateRoleRefUnchanged } from './role-binding-parts.ts';
import { RoleBinding } from './rolebinding.ts';
import { roleBindingTable } from './rolebinding-table.ts';
import { validateUpdateOf } from './validate-update.ts';

export const rolebindings = ({ dialect }: KindContext) => {
  const validate = (object: RoleBinding) => [
    ...validateFinalizersQualified(object.metadata, dialect),
    ...validateBinding(object, ['Role', 'ClusterRole'], true, dialect),
  ];
  const validateUpdate = validateUpdateOf(validate, true, dialect);
  return resource<RoleBinding>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    schema: RoleBinding,
    table: roleBindingTable,
    applyDefaults: (object) => defaultApiGroups(object, dialect),
    strategy: {
      validateName: nameIsPathSegment,
      guard: bindingEscalationGuard,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate,
      validateUpdate: (object, old) => [
        ...validateUpdate(object, old),
        ...validateRoleRefUnchanged(object, old),
      ],
    },
  });
};
