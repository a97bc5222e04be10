// ServiceCIDR, the whole kind: schema, printer columns, resource definition and validation.

import { parseCidr } from '../../base/cidr.ts';
import {
  type FieldError,
  FormattedValue,
  goStringSlice,
  invalid,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateCanonicalCidr } from '../../kind/meta/address-rules.ts';
import { Condition } from '../../kind/meta/condition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resetObjectMetaForStatus } from '../../kind/meta/reset-object-meta.ts';
import { validateFinalizersQualified, validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { list } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { v1beta1 } from './versions.ts';

const ServiceCIDRSpec = struct(
  'networking/v1.ServiceCIDRSpec',
  {
    cidrs: field(1, list(string, { type: 'atomic' }), {
      doc: 'The IP ranges in CIDR notation, at most one per IP family. Immutable, except that a second one may be added.',
    }),
  },
  { doc: 'The specification of a ServiceCIDR.' },
);

const ServiceCIDRStatus = struct(
  'networking/v1.ServiceCIDRStatus',
  {
    conditions: field(1, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }), {
      doc: 'The observed conditions. No addresses are allocated from the ranges while Ready is False.',
    }),
  },
  { doc: 'The current status of a ServiceCIDR.' },
);

export const ServiceCIDR = kind(
  'networking/v1.ServiceCIDR',
  {
    spec: field(2, ServiceCIDRSpec, { doc: 'The specification of the ServiceCIDR.' }),
    status: field(3, ServiceCIDRStatus, { doc: 'The current status of the ServiceCIDR.' }),
  },
  {
    doc: 'An IP range from which ClusterIPs are allocated. The server creates the first one; further ones extend the range.',
  },
);
export type ServiceCIDR = Infer<typeof ServiceCIDR>;

const serviceCidrTable: TableLayout<ServiceCIDR> = {
  columns: [nameColumn, column('CIDRs', 'The IP ranges.'), ageColumn],
  cells: (object, ages) => [
    object.metadata.name ?? '',
    (object.spec.cidrs ?? []).join(','),
    age(object, ages),
  ],
};

/** v1beta1 is the storage version, as in kube-apiserver 1.33. */
export const servicecidrsV1beta1 = (context: KindContext) =>
  resource<ServiceCIDR>({
    group: 'networking',
    version: 'v1beta1',
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    namespaced: false,
    schema: v1beta1.of(ServiceCIDR),
    maxBytes: maxReconciledBytes,
    table: serviceCidrTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      validate: (range) => [
        ...validateFinalizersQualified(range.metadata, context.dialect),
        ...validateRanges(range),
      ],
      validateUpdate: (range, old) => [
        ...validateMetadataChange(range.metadata, old.metadata),
        ...validateFinalizersQualified(range.metadata, context.dialect),
        ...validateCidrsUpdate(range, old),
      ],
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          prepareForUpdate(range, old) {
            range.spec = old.spec;
            resetObjectMetaForStatus(range.metadata, old.metadata);
          },
          validateUpdate: (range, old) => validateMetadataChange(range.metadata, old.metadata),
        },
      },
    },
  });

/** The same kind in v1, converted to v1beta1 for storage. */
export const servicecidrs = (context: KindContext) =>
  definitionInVersion('v1', servicecidrsV1beta1(context), ServiceCIDR);

const cidrsPath = 'spec.cidrs';

function validateRanges({ spec: { cidrs = [] } }: ServiceCIDR): FieldError[] {
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')];
  if (cidrs.length > 2) {
    const badValue = new FormattedValue(`networking.ServiceCIDRSpec{CIDRs:${goStringSlice(cidrs).text}}`);
    return [invalid(cidrsPath, badValue, 'may only hold up to 2 values')];
  }
  const [first, second] = cidrs.map(parseCidr);
  const errors: FieldError[] = [];
  if (first && second && first.family === second.family) {
    const problem =
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalid(cidrsPath, goStringSlice(cidrs), problem));
  }
  const formatErrors = cidrs.flatMap((text, i) =>
    validateCanonicalCidr(text).map((problem) => invalid(`${cidrsPath}[${i}]`, text, problem)),
  );
  return [...errors, ...formatErrors];
}

/** spec.cidrs is immutable, except that a second IP family may be added (single-stack to dual-stack). */
function validateCidrsUpdate(range: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const newCidrs = range.spec.cidrs ?? [];
  const oldCidrs = old.spec.cidrs ?? [];
  const becomesDualStack = oldCidrs.length === 1 && newCidrs.length === 2;
  if (newCidrs.length !== oldCidrs.length && !becomesDualStack) {
    return [invalid(cidrsPath, goStringSlice(newCidrs), 'field is immutable')];
  }
  const errors = oldCidrs.flatMap((text, i) =>
    text === newCidrs[i] ? [] : [invalid(`${cidrsPath}[${i}]`, newCidrs[i], 'field is immutable')],
  );
  return becomesDualStack ? [...errors, ...validateRanges(range)] : errors;
}
