import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bindingGuard } from './escalation.ts';
import { fillInGroups, roleStays, validateBinding } from './role-binding-parts.ts';
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
    applyDefaults: (object) => fillInGroups(object, dialect),
    strategy: {
      validateName: nameIsPathSegment,
      guard: bindingGuard,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate,
      validateUpdate: (object, old) => [...validateUpdate(object, old), ...roleStays(object, old)],
    },
  });
};
