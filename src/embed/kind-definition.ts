// Kinds that the embedding program defines: each becomes a CustomResourceDefinition and, with functions, an admission plugin.
import type { Dialect } from '../dialect/dialect.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { AdmissionFunctions } from './admission-functions.ts';

export interface EmbeddedKind {
  readonly group: string;
  readonly kind: string;
  /** By default the kind in lower case, with an s. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** By default Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** By default v1. */
  readonly version?: string;
  /** A structural OpenAPI v3 schema. By default all fields are accepted and preserved. */
  readonly schema?: object;
  /** Whether the status is written separately, by the status subresource. By default true. */
  readonly status?: boolean;
  /** Columns of kubectl get, in the form of `additionalPrinterColumns`. */
  readonly columns?: readonly object[];
  readonly mutate?: AdmissionFunctions['mutate'];
  readonly validate?: AdmissionFunctions['validate'];
}

export function toDefinition(definition: EmbeddedKind, dialect: Dialect): ApiObject {
  const {
    group,
    kind,
    scope = 'Namespaced',
    version = 'v1',
    shortNames,
    columns,
    status = true,
  } = definition;
  for (const name of ['group', 'kind'] as const) {
    if (typeof definition[name] !== 'string' || definition[name] === '') {
      throw new TypeError(`startServer: a kind needs a ${name}`);
    }
  }
  const plural = definition.plural ?? `${kind.toLowerCase()}s`;
  const names = { plural, singular: kind.toLowerCase(), kind, ...(shortNames && { shortNames }) };
  return {
    apiVersion: dialect.apiVersion('apiextensions', 'v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: definition.schema ?? anyFields(dialect) },
          ...(status && { subresources: { status: {} } }),
          ...(columns && { additionalPrinterColumns: columns }),
        },
      ],
    },
  };
}

const anyFields = ({ extensionPrefix }: Dialect) => ({
  type: 'object',
  [`${extensionPrefix}preserve-unknown-fields`]: true,
});

/** The admission plugin of a kind; undefined if it has no functions. */
export function toPlugin({
  group,
  kind,
  version = 'v1',
  mutate,
  validate,
}: EmbeddedKind): AdmissionFunctions | undefined {
  if (!mutate && !validate) return undefined;
  return {
    name: `${kind}.${group}`,
    match: { apiVersion: `${group}/${version}`, kind },
    ...(mutate && { mutate }),
    ...(validate && { validate }),
  };
}
