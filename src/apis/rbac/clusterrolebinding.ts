// ClusterRoleBinding: schema and resource definition.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { bindingEscalationGuard } from './escalation.ts';
import {
  defaultApiGroups,
  RoleRef,
  Subject,
  validateBinding,
  validateRoleRefUnchanged,
} from './role-binding-parts.ts';
import { roleBindingTable } from './rolebinding-table.ts';
import { updateValidation } from './validate-update.ts';

export const ClusterRoleBinding = kind(
  'rbac/v1.ClusterRoleBinding',
  {
    subjects: field(2, list(Subject, { type: 'atomic' }), {
      doc: 'The subjects that the role is granted to.',
    }),
    roleRef: field(3, RoleRef, { required: true, doc: 'The ClusterRole to grant.' }),
  },
  { doc: 'Grants a ClusterRole to subjects in the whole cluster.' },
);
export type ClusterRoleBinding = Infer<typeof ClusterRoleBinding>;

export const clusterrolebindings = ({ dialect }: KindContext) => {
  const validate = (object: ClusterRoleBinding) => [
    ...validateFinalizersQualified(object.metadata, dialect),
    ...validateBinding(object, ['ClusterRole'], { namespaced: false }, dialect),
  ];
  const validateUpdate = updateValidation(validate, { namespaced: false }, dialect);
  return resource<ClusterRoleBinding>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    schema: ClusterRoleBinding,
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
