// ServiceAccount: schema, printer columns, warnings and resource definition.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import type { Dialect } from '../../dialect/dialect.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateBuiltInMetadata,
  validateBuiltInMetadataChange,
  validateFinalizersQualified,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { bool } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { tokenAction } from '../authentication/tokenrequest.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';

export const ServiceAccount = kind(
  'core/v1.ServiceAccount',
  {
    secrets: field(
      2,
      list(ObjectReference, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'The Secrets that pods of this ServiceAccount may use, if it restricts them to this list.' },
    ),
    imagePullSecrets: field(3, list(LocalObjectReference, { type: 'atomic' }), {
      doc: 'Secrets with registry credentials for pods of this ServiceAccount.',
    }),
    automountServiceAccountToken: field(4, optional(bool), {
      doc: 'Whether pods of this ServiceAccount get a token mounted. A pod can override it.',
    }),
  },
  { doc: 'An identity for pods and other programs that call the API.' },
);
export type ServiceAccount = Infer<typeof ServiceAccount>;

const serviceAccountTable: TableLayout<ServiceAccount> = {
  columns: [nameColumn, column('Secrets', 'The number of Secrets.'), ageColumn],
  cells: (account, ages) => [account.metadata.name ?? '', (account.secrets ?? []).length, age(account, ages)],
};

export const serviceaccounts = ({ dialect }: KindContext) =>
  resource<ServiceAccount>({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    schema: ServiceAccount,
    table: serviceAccountTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      deleteReturnsObject: true,
      prepareForCreate: keepSecretNames,
      prepareForUpdate: keepSecretNames,
      warningsOnCreate: (object) => accountWarnings(object, undefined, dialect),
      warningsOnUpdate: (object, old) => accountWarnings(object, old, dialect),
      validate: ({ metadata }) => validateFinalizersQualified(metadata, dialect),
      validateUpdate: ({ metadata }, old) => [
        ...validateBuiltInMetadataChange(metadata, old.metadata, dialect),
        ...validateBuiltInMetadata(metadata, { namespaced: true, nameRule: nameIsSubdomain }, dialect),
      ],
    },
    subresources: { token: { verbs: ['create'], action: tokenAction } },
  });

/** Warns when a client newly sets the deprecated annotation that restricts mountable secrets. */
function accountWarnings(
  account: ServiceAccount,
  old: ServiceAccount | undefined,
  { annotations }: Dialect,
): string[] {
  const key = annotations.enforceMountableSecrets;
  const isAnnotated = account.metadata.annotations?.[key] !== undefined;
  const wasAnnotated = old?.metadata.annotations?.[key] !== undefined;
  if (!isAnnotated || wasAnnotated) return [];
  return [
    `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}

/** Keeps only the name of each secret reference. */
function keepSecretNames(object: ServiceAccount): void {
  object.secrets &&= object.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
