// ClusterTrustBundle, the whole kind: schema, printer columns, resource definition and validation.

import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateBuiltInMetadata, validateBuiltInMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { none } from '../../kind/table/cells.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { DerError } from '../../pki/der.ts';
import { pemBlocks } from '../../pki/pem.ts';
import { type ParsedCertificate, parseCertificate } from '../../pki/x509/certificate.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { clusterTrustBundleNameRule, validateSignerName } from './signer-name.ts';
import { v1alpha1 } from './versions.ts';

const ClusterTrustBundleSpec = struct(
  'certificates/v1beta1.ClusterTrustBundleSpec',
  {
    signerName: field(1, string, {
      doc: 'The signer whose trust anchors these are. The name of the object must then start with it. Immutable.',
    }),
    trustBundle: field(2, string, {
      required: true,
      doc: 'The trust anchors in PEM: CA certificates only, without duplicates or PEM headers. The order has no meaning.',
    }),
  },
  { doc: 'The signer and its trust anchors.' },
);

export const ClusterTrustBundle = kind(
  'certificates/v1beta1.ClusterTrustBundle',
  { spec: field(2, ClusterTrustBundleSpec, { required: true, doc: 'The signer and its trust anchors.' }) },
  {
    doc: 'X.509 trust anchors (root certificates) for workloads. Every authenticated user may read them.',
  },
);
export type ClusterTrustBundle = Infer<typeof ClusterTrustBundle>;

const clusterTrustBundleTable: TableLayout<ClusterTrustBundle> = {
  columns: [nameColumn, column('SignerName', 'The signer of the trust anchors.')],
  cells: ({ metadata, spec }) => [metadata.name ?? '', spec.signerName || none],
};

export const clustertrustbundles = ({ dialect }: KindContext) =>
  resource<ClusterTrustBundle>({
    group: 'certificates',
    version: 'v1beta1',
    kind: 'ClusterTrustBundle',
    plural: 'clustertrustbundles',
    gate: 'ClusterTrustBundle',
    namespaced: false,
    schema: ClusterTrustBundle,
    table: clusterTrustBundleTable,
    selectableFieldNames: ['spec.signerName'],
    selectableFields: ({ spec }) => ({ 'spec.signerName': spec.signerName ?? '' }),
    strategy: {
      // The name rule depends on spec.signerName: `validate` checks both together.
      validateName: () => [],
      validatesMetadata: true,
      validate: (object) => validateBundle(object, dialect),
      validateUpdate: (object, old) => [
        ...validateBundle(object, dialect),
        ...validateBuiltInMetadataChange(object.metadata, old.metadata, dialect),
        ...((object.spec.signerName ?? '') === (old.spec.signerName ?? '')
          ? []
          : [invalid('spec.signerName', object.spec.signerName ?? '', 'field is immutable')]),
      ],
    },
  });

/** The same kind in v1alpha1, with the types renamed to that version. */
export const clustertrustbundlesV1alpha1 = (context: KindContext) =>
  definitionInVersion('v1alpha1', clustertrustbundles(context), v1alpha1.of(ClusterTrustBundle));

function validateBundle({ metadata, spec }: ClusterTrustBundle, dialect: Dialect): FieldError[] {
  const signer = spec.signerName ?? '';
  return [
    ...validateBuiltInMetadata(
      metadata,
      { namespaced: false, nameRule: clusterTrustBundleNameRule(signer) },
      dialect,
    ),
    ...(signer === '' ? [] : validateSignerName(signer, 'spec.signerName')),
    ...anchorProblems(spec.trustBundle).map((problem) =>
      invalid('spec.trustBundle', '<value omitted>', problem),
    ),
  ];
}

/** The problems of a bundle of PEM-encoded trust anchors, as they follow "Invalid value: " in a message. */
function anchorProblems(bundle: string): string[] {
  const blocks = pemBlocks(bundle);
  if (blocks.length === 0) return ['at least one trust anchor must be provided'];
  const problems: string[] = [];
  const indicesByCertificate = new Map<string, number[]>();
  for (const [i, { type, hasHeaders, data }] of blocks.entries()) {
    if (type !== 'CERTIFICATE') {
      problems.push(`entry ${i} has bad block type: ${type}`);
      continue;
    }
    if (hasHeaders) {
      problems.push(`entry ${i} has PEM block headers`);
      continue;
    }
    const certificate = tryParseCertificate(data);
    if (!certificate) {
      problems.push(`entry ${i} does not parse as X.509`);
      continue;
    }
    if (!certificate.isCa) problems.push(`entry ${i} does not have the CA bit set`);
    const encoded = data.toString('base64');
    indicesByCertificate.set(encoded, [...(indicesByCertificate.get(encoded) ?? []), i]);
  }
  for (const duplicates of indicesByCertificate.values()) {
    if (duplicates.length > 1) problems.push(`duplicate trust anchor (indices [${duplicates.join(' ')}])`);
  }
  return problems;
}

function tryParseCertificate(der: Buffer): ParsedCertificate | undefined {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
