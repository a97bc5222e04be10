// OpenAPI: the group-version-kind extension of schemas and operations (upstream: x-kubernetes-group-version-kind).
import type { Dialect } from '../../dialect/dialect.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import type { Struct } from '../../schema/struct.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The group ids of packages (`rbac` in `rbac/v1.Role`) that are named differently. */
const groupsOfPackages: Readonly<Record<string, string>> = {
  core: '',
  meta: '',
  rbac: 'rbac.authorization',
  flowcontrol: 'flowcontrol.apiserver',
  apiserverinternal: 'internal.apiserver',
};

/** Types that belong to every version of every group, past ones included. */
const typesOfEveryGroupVersion: readonly string[] = ['meta/v1.DeleteOptions', 'meta/v1.WatchEvent'];

/** The versions of each group, past ones included. */
const groupVersions: Readonly<Record<string, readonly string[]>> = {
  '': ['v1'],
  admission: ['v1', 'v1beta1'],
  admissionregistration: ['v1', 'v1alpha1', 'v1beta1'],
  apiextensions: ['v1', 'v1beta1'],
  apiregistration: ['v1', 'v1beta1'],
  apps: ['v1', 'v1beta1', 'v1beta2'],
  authentication: ['v1', 'v1alpha1', 'v1beta1'],
  authorization: ['v1', 'v1beta1'],
  autoscaling: ['v1', 'v2', 'v2beta1', 'v2beta2'],
  batch: ['v1', 'v1beta1'],
  certificates: ['v1', 'v1alpha1', 'v1beta1'],
  coordination: ['v1', 'v1alpha2', 'v1beta1'],
  discovery: ['v1', 'v1beta1'],
  events: ['v1', 'v1beta1'],
  extensions: ['v1beta1'],
  'flowcontrol.apiserver': ['v1', 'v1beta1', 'v1beta2', 'v1beta3'],
  imagepolicy: ['v1alpha1'],
  'internal.apiserver': ['v1alpha1'],
  networking: ['v1', 'v1alpha1', 'v1beta1'],
  node: ['v1', 'v1alpha1', 'v1beta1'],
  policy: ['v1', 'v1beta1'],
  'rbac.authorization': ['v1', 'v1alpha1', 'v1beta1'],
  resource: ['v1alpha3', 'v1beta1', 'v1beta2'],
  scheduling: ['v1', 'v1alpha1', 'v1beta1'],
  storage: ['v1', 'v1alpha1', 'v1beta1'],
  storagemigration: ['v1alpha1'],
};

/** Groups that the documents of upstream's apiextensions server leave out. */
const groupsOutsideApiextensions: readonly string[] = [
  'admission',
  'apiextensions',
  'apiregistration',
  'imagepolicy',
];

/** The kinds of a type; none if it is only a part of kinds. `forCustomResources`: in a document of custom resources. */
export function groupVersionKinds(
  type: Struct<unknown>,
  dialect: Dialect,
  { forCustomResources = false } = {},
): readonly GroupVersionKind[] {
  const [packageName = '', kind = ''] = type.fullName.split('.');
  if (typesOfEveryGroupVersion.includes(type.fullName)) {
    return Object.entries(groupVersions)
      .filter(([group]) => !forCustomResources || !groupsOutsideApiextensions.includes(group))
      .flatMap(([group, versions]) =>
        versions.map((version) => ({ group: dialect.groupName(group), version, kind })),
      );
  }
  if (!isKind(type)) return [];
  return [{ ...groupVersionOf(packageName, dialect), kind }];
}

/** Whether the type starts with optional kind and apiVersion. In object references these fields are required. */
function isKind({ fields }: Struct<unknown>): boolean {
  return (['kind', 'apiVersion'] as const).every((name) => {
    const field = fields[name];
    return field?.number === typeMeta[name].number && field.alwaysSet && !field.required;
  });
}

/** The group and version of a package: `rbac/v1`. */
function groupVersionOf(packageName: string, dialect: Dialect): { group: string; version: string } {
  const [name = '', version = ''] = packageName.split('/');
  return { group: dialect.groupName(groupsOfPackages[name] ?? name), version };
}
