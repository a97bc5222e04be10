// Lease, the whole kind: schema, printer columns, resource definition and validation.

import { addErrors, type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { int32, microTime, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { coordinatedLeaseStrategy, validateStrategy } from './lease-strategy.ts';

const LeaseSpec = struct(
  'coordination/v1.LeaseSpec',
  {
    holderIdentity: field(1, optional(string), { doc: 'The identity of the current holder.' }),
    leaseDurationSeconds: field(2, optional(int32), {
      doc: 'Seconds after renewTime before other candidates may acquire the lease.',
    }),
    acquireTime: field(3, optional(microTime), { doc: 'When the current holder acquired the lease.' }),
    renewTime: field(4, optional(microTime), { doc: 'When the current holder last renewed the lease.' }),
    leaseTransitions: field(5, optional(int32), {
      min: 0,
      doc: 'The number of transitions between holders.',
    }),
    strategy: field(6, optional(coordinatedLeaseStrategy), {
      doc: 'The strategy of coordinated leader election, which chooses the next holder among the candidates.',
    }),
    preferredHolder: field(7, optional(string), {
      doc: 'The identity to which the current holder should yield the lease.',
    }),
  },
  { doc: 'The specification of a Lease.' },
);
type LeaseSpec = Infer<typeof LeaseSpec>;

export const Lease = kind(
  'coordination/v1.Lease',
  { spec: field(2, LeaseSpec, { doc: 'The holder of the lease and its timing.' }) },
  { doc: 'A lease for leader election and heartbeats: one holder at a time, which renews it.' },
);
export type Lease = Infer<typeof Lease>;

const leaseTable: TableLayout<Lease> = {
  columns: [nameColumn, column('Holder', 'The identity of the holder.'), ageColumn],
  cells: (lease, ages) => [lease.metadata.name ?? '', lease.spec.holderIdentity ?? '', age(lease, ages)],
};

export const leases = () =>
  resource<Lease>({
    group: 'coordination',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    schema: Lease,
    table: leaseTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowCreateOnUpdate: true,
      validate: ({ spec }) => validateSpec(spec),
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateSpec(object.spec),
      ],
    },
  });

function validateSpec(spec: LeaseSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds: duration, strategy, preferredHolder } = spec;
  if (duration !== undefined && duration <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  // Checks the schema's own constraint, `min` of leaseTransitions.
  LeaseSpec.validate?.(spec, 'spec', errors);
  if (strategy !== undefined) addErrors(errors, validateStrategy(strategy));
  if (preferredHolder && !strategy) {
    errors.push(forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
  return errors;
}
