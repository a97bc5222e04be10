import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { finalizersNameTheirOwner } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { bindingGuard } from './escalation.ts';
import { fillInGroups, RoleRef, roleStays, Subject, validateBinding } from './role-binding-parts.ts';
import { validateUpdateOf } from './validate-update.ts';

export const RoleBinding = kind(
  'rbac/v1.RoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' }), { doc: 'Who is given the role.' }),
    roleRef: field(3, RoleRef, { required: true, doc: 'The role they are given.' }),
  },
  { doc: 'Gives a role to somebody, within its namespace.' },
);
export type RoleBinding = Infer<typeof RoleBinding>;

export const rolebindings = ({ dialect }: KindContext) => {
  const validate = (object: RoleBinding) => [
    ...finalizersNameTheirOwner(object.metadata, dialect),
    ...validateBinding(object, ['Role', 'ClusterRole'], true, dialect),
  ];
  const validateUpdate = validateUpdateOf(validate, true, dialect);
  return resource<RoleBinding>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    schema: RoleBinding,
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
