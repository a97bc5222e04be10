// RoleBinding and ClusterRoleBinding: the schemas, defaults and validation of both. Dialect: the name of the RBAC API
// group, and other names, in Kubernetes' or Orch's own domain.

import type { Dialect } from '../../dialect/dialect.ts';
import {
  type FieldError,
  FormattedValue,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { dnsSubdomain, nameIsPathSegment } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const Subject = struct(
  'rbac/v1.Subject',
  {
    kind: field(1, string, { required: true, doc: 'User, Group or ServiceAccount.' }),
    apiGroup: field(2, string, {
      doc: 'The API group of the subject. Defaults to the core group for service accounts, otherwise to the RBAC group.',
    }),
    name: field(3, string, { required: true, doc: 'The name of the subject.' }),
    namespace: field(4, string, {
      doc: 'The namespace of a service account. Not allowed for users and groups.',
    }),
  },
  { atomic: true, doc: 'A user, group or service account that a role is granted to.' },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'rbac/v1.RoleRef',
  {
    apiGroup: field(1, string, {
      required: true,
      doc: 'The API group of the role. Defaults to the RBAC group.',
    }),
    kind: field(2, string, { required: true, doc: 'Role or ClusterRole.' }),
    name: field(3, string, { required: true, doc: 'The name of the role.' }),
  },
  { atomic: true, doc: 'A reference to the granted role. Immutable.' },
);
export type RoleRef = Infer<typeof RoleRef>;

interface Binding {
  roleRef: RoleRef;
  subjects?: Subject[];
}

const rbacGroup = (dialect: Dialect) => dialect.groupName('rbac.authorization');

/** Sets the apiGroup of roleRef, users and groups to rbac.authorization.k8s.io if it is absent. */
export function defaultApiGroups({ roleRef, subjects = [] }: Binding, dialect: Dialect): void {
  roleRef.apiGroup ||= rbacGroup(dialect);
  for (const subject of subjects) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup(dialect);
  }
}

/** `roleKinds` are the kinds that roleRef may name; `namespaced` is true for a RoleBinding. */
export function validateBinding(
  { roleRef, subjects = [] }: Binding,
  roleKinds: readonly string[],
  { namespaced }: { readonly namespaced: boolean },
  dialect: Dialect,
): FieldError[] {
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== rbacGroup(dialect)) {
    errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup, [rbacGroup(dialect)]));
  }
  if (!roleKinds.includes(roleRef.kind)) errors.push(notSupported('roleRef.kind', roleRef.kind, roleKinds));
  if (roleRef.name === '') errors.push(required('roleRef.name'));
  else {
    for (const problem of nameIsPathSegment(roleRef.name)) {
      errors.push(invalid('roleRef.name', roleRef.name, problem));
    }
  }
  return [
    ...errors,
    ...subjects.flatMap((subject, i) => validateSubject(subject, `subjects[${i}]`, { namespaced }, dialect)),
  ];
}

function validateSubject(
  { kind, name, apiGroup = '', namespace = '' }: Subject,
  path: string,
  { namespaced }: { readonly namespaced: boolean },
  dialect: Dialect,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') {
        for (const problem of dnsSubdomain(name)) errors.push(invalid(`${path}.name`, name, problem));
      }
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']));
      // In a RoleBinding, the namespace defaults to that of the binding.
      if (!namespaced && namespace === '') errors.push(required(`${path}.namespace`));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup(dialect)) {
        errors.push(notSupported(`${path}.apiGroup`, apiGroup, [rbacGroup(dialect)]));
      }
      break;
    default:
      errors.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

export function validateRoleRefUnchanged({ roleRef }: Binding, { roleRef: old }: Binding): FieldError[] {
  if (roleRef.apiGroup === old.apiGroup && roleRef.kind === old.kind && roleRef.name === old.name) return [];
  const formattedRef = `rbac.RoleRef{APIGroup:${quote(roleRef.apiGroup)}, Kind:${quote(roleRef.kind)}, Name:${quote(roleRef.name)}}`;
  return [invalid('roleRef', new FormattedValue(formattedRef), 'cannot change roleRef')];
}
