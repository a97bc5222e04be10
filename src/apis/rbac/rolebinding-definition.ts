// RoleBinding: the resource definition, with its defaults and the strategy that runs on writes.

import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bindingEscalationGuard } from './escalation.ts';
import { defaultApiGroups, validateBinding, validateRoleRefUnchanged } from './role-binding-parts.ts';
import { RoleBinding } from './rolebinding.ts';
import { roleBindingTable } from './rolebinding-table.ts';
import { updateValidation } from './validate-update.ts';

export const rolebindings = ({ dialect }: KindContext) => {
  const validate = (object: RoleBinding) => [
    ...validateFinalizersQualified(object.metadata, dialect),
    ...validateBinding(object, ['Role', 'ClusterRole'], { namespaced: true }, dialect),
  ];
  const validateUpdate = updateValidation(validate, { namespaced: true }, dialect);
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
