// LeaseCandidate, the whole kind: schema, printer columns, resource definition and validation.

import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { dataKey } from '../../schema/names.ts';
import { microTime, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { coordinatedLeaseStrategy, validateStrategy } from './lease-strategy.ts';
import { v1alpha2 } from './versions.ts';

const LeaseCandidateSpec = struct(
  'coordination/v1beta1.LeaseCandidateSpec',
  {
    leaseName: field(1, string, { required: true, doc: 'The name of the Lease. Immutable.' }),
    pingTime: field(2, optional(microTime), { doc: 'When the server last requested a renewal.' }),
    renewTime: field(3, optional(microTime), { doc: 'When the candidate last renewed.' }),
    binaryVersion: field(4, string, { required: true, doc: 'The binary version of the candidate.' }),
    emulationVersion: field(5, string, {
      doc: 'The emulation version of the candidate, at most binaryVersion. Required for strategy OldestEmulationVersion.',
    }),
    strategy: field(6, coordinatedLeaseStrategy, {
      required: true,
      omitEmpty: true,
      doc: 'The election strategy that the candidate requests.',
    }),
  },
  { doc: 'The specification of a LeaseCandidate.' },
);
type LeaseCandidateSpec = Infer<typeof LeaseCandidateSpec>;

export const LeaseCandidate = kind(
  'coordination/v1beta1.LeaseCandidate',
  { spec: field(2, LeaseCandidateSpec, { doc: 'The lease and the versions of the candidate.' }) },
  { doc: 'A candidate for a Lease in coordinated leader election.' },
);
export type LeaseCandidate = Infer<typeof LeaseCandidate>;

const leaseCandidateTable: TableLayout<LeaseCandidate> = {
  columns: [
    nameColumn,
    column('LeaseName', 'The name of the Lease.'),
    column('BinaryVersion', 'The binary version of the candidate.'),
    column('EmulationVersion', 'The emulation version of the candidate.'),
    ageColumn,
  ],
  cells: (candidate, ages) => [
    candidate.metadata.name ?? '',
    candidate.spec.leaseName,
    candidate.spec.binaryVersion,
    candidate.spec.emulationVersion ?? '',
    age(candidate, ages),
  ],
};

export const leasecandidates = (_context: KindContext) =>
  resource<LeaseCandidate>({
    group: 'coordination',
    version: 'v1beta1',
    kind: 'LeaseCandidate',
    plural: 'leasecandidates',
    schema: LeaseCandidate,
    table: leaseCandidateTable,
    selectableFields: ({ spec }) => ({ 'spec.leaseName': spec.leaseName }),
    strategy: {
      validateName: dataKey,
      allowCreateOnUpdate: true,
      validate: ({ spec }) => validateSpec(spec),
      validateUpdate: ({ metadata, spec }, old) => [
        ...validateMetadataChange(metadata, old.metadata),
        ...validateSpec(spec),
        ...(spec.leaseName === old.spec.leaseName
          ? []
          : [invalid('spec.leaseName', spec.leaseName, 'field is immutable')]),
      ],
    },
  });

/**
 * The same kind in v1alpha2, with the types renamed to that version. Unlike v1beta1, it supports the field selector
 * spec.leaseName.
 */
export const leasecandidatesV1alpha2 = (context: KindContext): ResourceDefinition<LeaseCandidate> => ({
  ...definitionInVersion('v1alpha2', leasecandidates(context), v1alpha2.of(LeaseCandidate)),
  selectableFieldNames: ['spec.leaseName'],
});

function validateSpec(spec: LeaseCandidateSpec): FieldError[] {
  const { leaseName, binaryVersion, emulationVersion = '', strategy = '' } = spec;
  const errors: FieldError[] = [];
  if (leaseName === '') errors.push(required('spec.leaseName'));
  const binary = parseVersion(binaryVersion);
  const emulation = parseVersion(emulationVersion);
  const invalidVersionMessage = 'must be a valid semantic version';
  if (binaryVersion === '') errors.push(required('spec.binaryVersion'));
  else if (!binary) errors.push(invalid('spec.binaryVersion', binaryVersion, invalidVersionMessage));
  if (emulationVersion !== '' && !emulation) {
    errors.push(invalid('spec.emulationVersion', emulationVersion, invalidVersionMessage));
  }
  // An invalid binaryVersion compares as 0.0.0.
  if (emulation && binaryVersion !== '' && isOlder(binary ?? [0, 0, 0], emulation)) {
    const detail = 'must be greater than or equal to `emulationVersion`';
    errors.push(invalid('spec.binaryVersion', binaryVersion, detail));
  }
  if (strategy === 'OldestEmulationVersion' && !emulation) {
    const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
    errors.push(required('spec.emulationVersion', detail));
  }
  if (strategy === '') return [...errors, required('spec.strategy')];
  return [...errors, ...validateStrategy(strategy)];
}

const maxVersionLength = 256;

type Version = readonly [number, number, number];

/** Parses a semantic version, `1.33.0` or `1.33.0-rc.1`, and drops the pre-release. */
function parseVersion(text: string): Version | undefined {
  if (text.length > maxVersionLength) return undefined;
  const match =
    /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

function isOlder(a: Version, b: Version): boolean {
  for (const [i, part] of a.entries()) {
    if (part !== b[i]) return part < b[i]!;
  }
  return false;
}
