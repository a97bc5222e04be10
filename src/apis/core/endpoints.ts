// Endpoints: schema, printer columns, validation, warnings and resource definition.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.
import { parseIp } from '../../base/ip-address.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { type AddressRules, addressRules, validateNonSpecialIp } from '../../kind/meta/address-rules.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age, joinAtMost, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { dnsLabel, nameIsSubdomain, portNumber, qualifiedName } from '../../schema/names.ts';
import { int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ObjectReference } from './object-reference.ts';

export const EndpointAddress = struct(
  'core/v1.EndpointAddress',
  {
    ip: field(1, string, {
      required: true,
      doc: 'The IP address. Loopback, link-local and link-local multicast addresses are not allowed.',
    }),
    hostname: field(3, string, { doc: 'The hostname of this endpoint.' }),
    nodeName: field(4, optional(string), { doc: 'The node that hosts the endpoint.' }),
    targetRef: field(2, optional(ObjectReference), { doc: 'The object behind the endpoint, usually a pod.' }),
  },
  { atomic: true, doc: 'The address of an endpoint.' },
);
export type EndpointAddress = Infer<typeof EndpointAddress>;

const EndpointPort = struct(
  'core/v1.EndpointPort',
  {
    name: field(1, string, {
      doc: 'The name of the port in the service. Optional if there is only one port.',
    }),
    port: field(2, int32, { required: true, doc: 'The port number.' }),
    protocol: field(3, named('core/v1.Protocol', publishedEnum('TCP', 'UDP', 'SCTP')), {
      default: 'TCP',
      doc: 'The transport protocol.',
    }),
    appProtocol: field(4, optional(string), {
      doc: 'The application protocol: an IANA service name, or a domain-prefixed name.',
    }),
  },
  { atomic: true, doc: 'A port of every address in the subset.' },
);
type EndpointPort = Infer<typeof EndpointPort>;

const EndpointSubset = struct(
  'core/v1.EndpointSubset',
  {
    addresses: field(1, list(EndpointAddress, { type: 'atomic' }), {
      doc: 'Addresses of endpoints that are ready.',
    }),
    notReadyAddresses: field(2, list(EndpointAddress, { type: 'atomic' }), {
      doc: 'Addresses of endpoints that are not ready: still starting, or failing their readiness probe.',
    }),
    ports: field(3, list(EndpointPort, { type: 'atomic' }), { doc: 'The ports of every address.' }),
  },
  {
    doc: 'Addresses with a common set of ports. The endpoints are the Cartesian product of addresses and ports.',
  },
);

export const Endpoints = kind(
  'core/v1.Endpoints',
  {
    subsets: field(2, list(EndpointSubset, { type: 'atomic' }), {
      doc: 'The endpoints are the union of these subsets. An address whose ports differ in readiness is in several subsets.',
    }),
  },
  { doc: 'The endpoints of a service. Deprecated: use EndpointSlice.' },
);
export type Endpoints = Infer<typeof Endpoints>;

const endpointsTable: TableLayout<Endpoints> = {
  columns: [nameColumn, column('Endpoints', 'The first few endpoints.'), ageColumn],
  cells: (endpoints, ages) => [endpoints.metadata.name ?? '', endpointsCell(endpoints), age(endpoints, ages)],
};

function endpointsCell({ subsets = [] }: Endpoints): string {
  const endpointTexts = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => withPort(ip, port))),
  );
  return endpointTexts.length === 0 ? none : joinAtMost(endpointTexts, 3, ',');
}

const withPort = (ip: string, port: number) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

export const endpoints = (context: KindContext) => {
  const { dialect } = context;
  const rules = addressRules(context);
  const addressesAreExclusive = dialect.rules.endpointAddressesAreReadyOrNot;
  return resource<Endpoints>({
    group: '',
    version: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    storagePrefix: 'services/endpoints',
    schema: Endpoints,
    table: endpointsTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateSubsets(object, { rules, oldIps: new Set(), addressesAreExclusive }),
      ],
      warningsOnCreate: (object) => ipWarnings(object, rules),
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateSubsets(object, { rules, oldIps: collectIps(old), addressesAreExclusive }),
      ],
      warningsOnUpdate: (object) => ipWarnings(object, rules),
    },
  });
};

function collectIps({ subsets = [] }: Endpoints): Set<string> {
  const endpointAddresses = subsets.flatMap(({ addresses = [], notReadyAddresses = [] }) => [
    ...addresses,
    ...notReadyAddresses,
  ]);
  return new Set(endpointAddresses.map(({ ip }) => ip));
}

interface SubsetRules {
  readonly rules: AddressRules;
  /** IPs of the stored object, which stay valid. */
  readonly oldIps: ReadonlySet<string>;
  /** An IP cannot be both ready and not ready: a rule of the orch dialect, which kube-apiserver does not have. */
  readonly addressesAreExclusive: boolean;
}

function validateSubsets(
  { subsets = [] }: Endpoints,
  { rules, oldIps, addressesAreExclusive }: SubsetRules,
): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, i) => {
    const path = `subsets[${i}]`;
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      return [required(path, 'must specify `addresses` or `notReadyAddresses`')];
    }
    const validateAll = (list: readonly EndpointAddress[], listPath: string) =>
      list.flatMap((address, k) => validateAddress(address, rules, oldIps, `${listPath}[${k}]`));
    const isNameRequired = ports.length > 1;
    return [
      ...validateAll(addresses, `${path}.addresses`),
      ...validateAll(notReadyAddresses, `${path}.notReadyAddresses`),
      ...(addressesAreExclusive ? validateReadyExclusive(addresses, notReadyAddresses, path) : []),
      ...ports.flatMap((port, k) => validatePort(port, `${path}.ports[${k}]`, { isNameRequired })),
    ];
  });
}

/** An IP cannot be in both addresses and notReadyAddresses, whatever its spelling. */
function validateReadyExclusive(
  ready: readonly EndpointAddress[],
  notReady: readonly EndpointAddress[],
  path: string,
): FieldError[] {
  const readyIps = new Set(ready.map(({ ip }) => canonicalIp(ip)));
  return notReady.flatMap(({ ip }, k) =>
    readyIps.has(canonicalIp(ip)) ? [duplicate(`${path}.notReadyAddresses[${k}].ip`, ip)] : [],
  );
}

/** Canonical form of an IP address, for comparison. */
function canonicalIp(text: string): string {
  const ip = parseIp(text);
  return ip ? `${ip.family} ${ip.value}` : text;
}

function validateAddress(
  { ip, hostname, nodeName }: EndpointAddress,
  rules: AddressRules,
  oldIps: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors = [...rules.ip(ip, oldIps), ...validateNonSpecialIp(ip)].map((problem) =>
    invalid(`${path}.ip`, ip, problem),
  );
  if (hostname)
    addErrors(
      errors,
      dnsLabel(hostname).map((problem) => invalid(`${path}.hostname`, hostname, problem)),
    );
  if (nodeName !== undefined) {
    addErrors(
      errors,
      nameIsSubdomain(nodeName).map((problem) => invalid(`${path}.nodeName`, nodeName, problem)),
    );
  }
  return errors;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function validatePort(
  port: EndpointPort,
  path: string,
  { isNameRequired }: { isNameRequired: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const { name, port: number, protocol, appProtocol } = port;
  if (name)
    addErrors(
      errors,
      dnsLabel(name).map((problem) => invalid(`${path}.name`, name, problem)),
    );
  else if (isNameRequired) errors.push(required(`${path}.name`));
  addErrors(
    errors,
    portNumber(number).map((problem) => invalid(`${path}.port`, number, problem)),
  );
  if (!protocol) errors.push(required(`${path}.protocol`));
  else if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, protocols));
  if (appProtocol !== undefined) {
    addErrors(
      errors,
      qualifiedName(appProtocol).map((problem) => invalid(`${path}.appProtocol`, appProtocol, problem)),
    );
  }
  return errors;
}

function ipWarnings({ subsets = [] }: Endpoints, rules: AddressRules): string[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [] }, i) => [
    ...addresses.flatMap(({ ip }, k) => rules.ipWarnings(ip, `subsets[${i}].addresses[${k}].ip`)),
    ...notReadyAddresses.flatMap(({ ip }, k) =>
      rules.ipWarnings(ip, `subsets[${i}].notReadyAddresses[${k}].ip`),
    ),
  ]);
}
