// IPAddress, the whole kind: schema, printer columns, resource definition and validation.

import { addErrors, type FieldError, FormattedValue, invalid, required } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateCanonicalIp } from '../../kind/meta/address-rules.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { none } from '../../kind/table/cells.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { dnsSubdomain, nameIsPathSegment } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { v1beta1 } from './versions.ts';

export const ParentReference = struct(
  'networking/v1.ParentReference',
  {
    group: field(1, string, {
      doc: 'The API group of the object. Empty for the core group.',
    }),
    resource: field(2, string, {
      required: true,
      omitEmpty: true,
      doc: 'The resource name of the object, such as services.',
    }),
    namespace: field(3, string, { doc: 'The namespace of the object, if it is namespaced.' }),
    name: field(4, string, { required: true, omitEmpty: true, doc: 'The name of the object.' }),
  },
  { doc: 'A reference to the object that an IP address is allocated to.' },
);
export type ParentReference = Infer<typeof ParentReference>;

/** Whether a parentRef names a Service. */
export const isServiceReference = ({ group, resource }: ParentReference) => resource === 'services' && !group;

const IPAddressSpec = struct(
  'networking/v1.IPAddressSpec',
  {
    parentRef: field(1, optional(ParentReference), {
      required: true,
      omitEmpty: true,
      doc: 'The object that the address is allocated to. Immutable.',
    }),
  },
  { doc: 'The specification of an IPAddress.' },
);
type IPAddressSpec = Infer<typeof IPAddressSpec>;

export const IPAddress = kind(
  'networking/v1.IPAddress',
  {
    spec: field(2, IPAddressSpec, { doc: 'The specification of the IPAddress.' }),
  },
  {
    doc: 'An allocated IP address. Its name is the address in canonical form: IPv4 in dotted decimal without leading zeros, IPv6 as of RFC 5952. The server keeps one for each ClusterIP of a service.',
  },
);
export type IPAddress = Infer<typeof IPAddress>;

const ipAddressTable: TableLayout<IPAddress> = {
  columns: [nameColumn, column('ParentRef', 'The object that the address is allocated to.')],
  cells({ metadata, spec }) {
    const { group = '', resource, namespace, name } = spec.parentRef ?? { resource: '', name: '' };
    const qualifiedResource = group ? `${resource}.${group}` : resource;
    return [metadata.name ?? '', [qualifiedResource, namespace, name].filter(Boolean).join('/') || none];
  },
};

/** v1beta1 is the storage version, as in kube-apiserver 1.33. */
export const ipaddressesV1beta1 = ({ dialect }: KindContext) =>
  resource<IPAddress>({
    group: 'networking',
    version: 'v1beta1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    shortNames: ['ip'],
    namespaced: false,
    schema: v1beta1.of(IPAddress),
    maxBytes: maxReconciledBytes,
    table: ipAddressTable,
    strategy: {
      validateName: validateCanonicalIp,
      allowUnconditionalUpdate: true,
      validate: (address) => [
        ...validateFinalizersQualified(address.metadata, dialect),
        ...validateParent(address),
      ],
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (address, old) => [
        ...validateMetadata(address.metadata, { namespaced: false, nameRule: validateCanonicalIp }),
        ...validateFinalizersQualified(address.metadata, dialect),
        ...validateParent(address),
        ...validateMetadataChange(address.metadata, old.metadata),
        ...validateFinalizersQualified(address.metadata, dialect),
        ...validateParentRefUnchanged(address, old),
      ],
    },
  });

/** The same kind in v1, converted to v1beta1 for storage. */
export const ipaddresses = (context: KindContext) =>
  definitionInVersion('v1', ipaddressesV1beta1(context), IPAddress);

function validateParent({ spec: { parentRef } }: IPAddress): FieldError[] {
  const path = 'spec.parentRef';
  if (!parentRef) return [required(path)];
  const { group, resource: plural, namespace, name } = parentRef;
  const errors: FieldError[] = [];
  const addProblems = (field: string, value: string, problems: string[]) =>
    addErrors(
      errors,
      problems.map((problem) => invalid(`${path}.${field}`, value, problem)),
    );
  if (group) addProblems('group', group, dnsSubdomain(group));
  if (!plural) errors.push(required(`${path}.resource`));
  else addProblems('resource', plural, nameIsPathSegment(plural));
  if (!name) errors.push(required(`${path}.name`));
  else addProblems('name', name, nameIsPathSegment(name));
  if (namespace) addProblems('namespace', namespace, nameIsPathSegment(namespace));
  return errors;
}

function validateParentRefUnchanged({ spec }: IPAddress, { spec: old }: IPAddress): FieldError[] {
  const encodeParent = ({ parentRef }: IPAddressSpec) => parentRef && ParentReference.write(parentRef);
  return encodeParent(spec) === encodeParent(old)
    ? []
    : [invalid('spec.parentRef', formatParent(spec.parentRef), 'field is immutable')];
}

/** A ParentReference as Go's %#v prints it. */
function formatParent(parent: ParentReference | undefined): string | FormattedValue {
  if (!parent) return 'null';
  const { group = '', resource: plural, namespace = '', name } = parent;
  return new FormattedValue(
    `networking.ParentReference{Group:${quote(group)}, Resource:${quote(plural ?? '')}, ` +
      `Namespace:${quote(namespace)}, Name:${quote(name ?? '')}}`,
  );
}
