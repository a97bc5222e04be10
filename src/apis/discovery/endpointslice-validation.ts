// EndpointSlice: validation on create and update (upstream: ValidateEndpointSlice).

import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import {
  type AddressRules,
  validateCanonicalIp,
  validateIpFamily,
  validateNonSpecialIp,
} from '../../kind/meta/address-rules.ts';
import { dnsLabel, dnsSubdomain, qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from './endpointslice.ts';

const maxCounts = { endpoints: 1000, addresses: 100, ports: 20_000, hints: 8 };
const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Validates everything but metadata. The addresses of `old` stay valid (ratcheting). */
export function validateSlice(
  slice: EndpointSlice,
  old: EndpointSlice | undefined,
  rules: AddressRules,
): FieldError[] {
  const { addressType, endpoints, ports } = slice;
  const oldAddresses = new Set((old?.endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  const areEndpointsUnchanged =
    old && JSON.stringify(endpoints ?? []) === JSON.stringify(old.endpoints ?? []);
  return [
    ...validateAddressType(addressType),
    ...validatePorts(ports ?? []),
    // Skips unchanged endpoints: a slice can have many, and most updates do not change them.
    ...(areEndpointsUnchanged
      ? []
      : validateEndpoints(endpoints ?? [], { type: addressType, rules, oldAddresses })),
  ];
}

function validateAddressType(type: string): FieldError[] {
  if (!type) return [required('addressType')];
  return addressTypes.includes(type) ? [] : [notSupported('addressType', type, addressTypes)];
}

export function validateAddressTypeUnchanged(
  { addressType }: EndpointSlice,
  old: EndpointSlice,
): FieldError[] {
  return addressType === old.addressType ? [] : [invalid('addressType', addressType, 'field is immutable')];
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxCounts.ports) return [tooMany('ports', ports.length, maxCounts.ports)];
  const seenNames = new Set<string>();
  return ports.flatMap((port, i) => {
    const path = `ports[${i}]`;
    const { name = '', protocol, appProtocol } = port;
    const errors: FieldError[] = [];
    const addProblems = (field: string, value: string, problems: string[]) =>
      addErrors(
        errors,
        problems.map((problem) => invalid(`${path}.${field}`, value, problem)),
      );
    if (name !== '') addProblems('name', name, dnsLabel(name));
    if (seenNames.has(name)) errors.push(duplicate(`${path}.name`, name));
    seenNames.add(name);
    if (protocol === undefined) errors.push(required(`${path}.protocol`));
    else if (!protocols.includes(protocol))
      errors.push(notSupported(`${path}.protocol`, protocol, protocols));
    if (appProtocol !== undefined) addProblems('appProtocol', appProtocol, qualifiedName(appProtocol));
    return errors;
  });
}

interface SliceAddressRules {
  /** The addressType of the slice. */
  readonly type: string;
  readonly rules: AddressRules;
  /** Addresses of the stored slice, which stay valid. */
  readonly oldAddresses: ReadonlySet<string>;
}

function validateEndpoints(endpoints: readonly Endpoint[], addressRules: SliceAddressRules): FieldError[] {
  if (endpoints.length > maxCounts.endpoints)
    return [tooMany('endpoints', endpoints.length, maxCounts.endpoints)];
  return endpoints.flatMap((endpoint, i) => {
    const path = `endpoints[${i}]`;
    const { nodeName, hostname, hints } = endpoint;
    const errors = validateAddresses(endpoint.addresses ?? [], `${path}.addresses`, addressRules);
    const addProblems = (field: string, value: string, problems: string[]) =>
      addErrors(
        errors,
        problems.map((problem) => invalid(`${path}.${field}`, value, problem)),
      );
    if (nodeName !== undefined) addProblems('nodeName', nodeName, dnsSubdomain(nodeName));
    if (hostname !== undefined) addProblems('hostname', hostname, dnsLabel(hostname));
    return hints ? [...errors, ...validateHints(hints, `${path}.hints`)] : errors;
  });
}

function validateAddresses(
  addresses: readonly string[],
  path: string,
  { type, rules, oldAddresses }: SliceAddressRules,
): FieldError[] {
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  if (addresses.length > maxCounts.addresses) return [tooMany(path, addresses.length, maxCounts.addresses)];
  return addresses.flatMap((address, i) => {
    const fieldPath = `${path}[${i}]`;
    const invalidAddress = (problems: string[], errorPath: string) =>
      problems.map((problem) => invalid(errorPath, address, problem));
    if (type === 'FQDN') return validateFqdn(address, fieldPath);
    // validateAddressType reports an unknown type.
    if (type !== 'IPv4' && type !== 'IPv6') return [];
    // IPv6 addresses must be canonical; IPv4 validation is older and only warns.
    const formatProblems = type === 'IPv4' ? rules.ip(address, oldAddresses) : validateCanonicalIp(address);
    if (formatProblems.length > 0) return invalidAddress(formatProblems, fieldPath);
    return [
      // kube-apiserver omits the index from this path.
      ...invalidAddress(validateIpFamily(address, type), path),
      ...invalidAddress(validateNonSpecialIp(address), fieldPath),
    ];
  });
}

/** Requires a fully qualified domain name, with at least two labels. */
function validateFqdn(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const withoutTrailingDot = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = dnsSubdomain(withoutTrailingDot);
  if (problems.length === 0 && !withoutTrailingDot.includes('.')) {
    problems.push('should be a domain with at least two segments separated by dots');
  }
  return problems.map((problem) => invalid(path, name, problem));
}

function validateHints({ forZones, forNodes }: EndpointHints, path: string): FieldError[] {
  return [
    ...validateHintNames(forZones ?? [], `${path}.forZones`, validLabelValue),
    ...validateHintNames(forNodes ?? [], `${path}.forNodes`, dnsSubdomain),
  ];
}

function validateHintNames(
  hints: readonly { readonly name: string }[],
  path: string,
  nameRule: (name: string) => string[],
): FieldError[] {
  if (hints.length > maxCounts.hints) return [tooMany(path, hints.length, maxCounts.hints)];
  const seen = new Set<string>();
  return hints.flatMap(({ name }, i) => {
    const fieldPath = `${path}[${i}].name`;
    const errors = nameRule(name).map((problem) => invalid(fieldPath, name, problem));
    if (seen.has(name)) errors.push(duplicate(fieldPath, name));
    seen.add(name);
    return errors;
  });
}
