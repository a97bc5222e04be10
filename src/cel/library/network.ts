// CEL IP and CIDR libraries of Kubernetes: `ip(text)`, `cidr(text)`, their properties and containment.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { addressBits, type Cidr, cidrContains, parseCidr } from '../../base/cidr.ts';
import {
  formatIp,
  type Ip,
  isLinkLocal,
  isLinkLocalMulticast,
  isLoopback,
  parseIp,
} from '../../base/ip-address.ts';
import type { CallCost } from '../cost/call-cost.ts';
import {
  nominal,
  perCharacter,
  sizeOf,
  traversalCost,
  traversalCostRange,
  traversesArgument,
} from '../cost/models.ts';
import { exactly, plus, type Range, scaled } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { EvaluationError, fail, noSuchOverload } from '../errors.ts';
import { CelObject, type CelType, opaque } from '../types.ts';
import type { Value } from '../values.ts';

const ipType = opaque('net.IP');
const cidrType = opaque('net.CIDR');

class IpValue extends CelObject {
  readonly ip: Ip;

  constructor(ip: Ip) {
    super();
    this.ip = ip;
  }

  override get type(): CelType {
    return ipType;
  }

  /** The size in the cost model: the bytes of the address. */
  get costSize(): number {
    return addressBits(this.ip.family) / 8;
  }

  override equals(other: unknown): boolean {
    return other instanceof IpValue && other.ip.family === this.ip.family && other.ip.value === this.ip.value;
  }
}

class CidrValue extends CelObject {
  readonly cidr: Cidr;
  /** The address in the text, which may have host bits. */
  readonly address: bigint;

  constructor(cidr: Cidr, address: bigint) {
    super();
    this.cidr = cidr;
    this.address = address;
  }

  override get type(): CelType {
    return cidrType;
  }

  /** The size in the cost model: the bytes of the prefix. */
  get costSize(): number {
    return Math.ceil(this.cidr.prefix / 8);
  }

  override equals(other: unknown): boolean {
    return (
      other instanceof CidrValue &&
      other.cidr.family === this.cidr.family &&
      other.cidr.prefix === this.cidr.prefix &&
      other.address === this.address
    );
  }

  get text(): string {
    return `${formatIp({ family: this.cidr.family, value: this.address })}/${this.cidr.prefix}`;
  }
}

function parseIpOrFail(text: string): IpValue {
  const [address = '', zone] = text.split('%');
  if (zone !== undefined && zone !== '' && parseIp(address)?.family === 'IPv6')
    return fail(`IP address "${text}" with zone value is not allowed`);
  const ip = parseIp(text);
  if (!ip || ip.hasLeadingZeros) {
    const reason = ip ? 'IPv4 field has octet with leading zero' : 'unable to parse IP';
    return fail(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): ${reason}`,
    );
  }
  return ip.isIPv4Mapped ? fail(`IPv4-mapped IPv6 address "${text}" is not allowed`) : new IpValue(ip);
}

function parseCidrOrFail(text: string): CidrValue {
  const cidr = parseCidr(text);
  if (!cidr || cidr.hasLeadingZeros) {
    // The message repeats this text, as kube-apiserver's does.
    const problem = 'network address parse error during conversion from string';
    const reason = text.includes('/') ? 'unable to parse' : "no '/'";
    return fail(`${problem}: ${problem}: netip.ParsePrefix("${text}"): ${reason}`);
  }
  if (cidr.isIPv4Mapped) return fail(`IPv4-mapped IPv6 address "${text}" is not allowed`);
  return new CidrValue(cidr, cidr.address);
}

function succeeds(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const isMulticast = ({ family, value }: Ip) =>
  family === 'IPv4' ? value >> 28n === 0xen : value >> 120n === 0xffn;

function isGlobalUnicast(ip: Ip): boolean {
  const isBroadcast = ip.family === 'IPv4' && ip.value === 0xffffffffn;
  return !isBroadcast && ip.value !== 0n && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocal(ip);
}

const containsIp = ({ cidr }: CidrValue, { ip }: IpValue) => cidrContains(cidr, ip);
const containsCidr = ({ cidr }: CidrValue, other: CidrValue) =>
  cidr.prefix <= other.cidr.prefix &&
  cidrContains(cidr, { family: other.cidr.family, value: other.cidr.network });

/** Addresses are compared by their 4 or 16 bytes. */
const addressSize: Range = { min: 4, max: 16 };
const containmentCostRange = traversalCostRange(plus(addressSize, addressSize));
const containmentCost = (range: Value) => Math.ceil(2 * sizeOf(range) * perCharacter);

const containsIpCost: CallCost = {
  estimate: () => ({ cost: containmentCostRange }),
  runtime: containmentCost,
};

const containsIpTextCost: CallCost = {
  estimate: ({ argSizes }) => ({ cost: plus(containmentCostRange, traversalCostRange(argSizes[0]!)) }),
  runtime: (range, ip) => containmentCost(range) + traversalCost(sizeOf(ip)),
};

const cidrContainmentCostRange = plus(
  plus(containmentCostRange, traversalCostRange(addressSize)),
  exactly(1),
);
const cidrContainmentCost = (range: Value) => containmentCost(range) + traversalCost(sizeOf(range)) + 1;

const containsCidrCost: CallCost = {
  estimate: () => ({ cost: cidrContainmentCostRange }),
  runtime: cidrContainmentCost,
};

const containsCidrTextCost: CallCost = {
  estimate: ({ argSizes }) => ({ cost: plus(cidrContainmentCostRange, traversalCostRange(argSizes[0]!)) }),
  runtime: (range, other) => cidrContainmentCost(range) + traversalCost(sizeOf(other)),
};

/** The address is parsed and then formatted again. */
const parseAndFormatCost: CallCost = {
  estimate: ({ argSizes }) => ({ cost: scaled(argSizes[0]!, 2 * perCharacter) }),
  runtime: (text) => Math.ceil(sizeOf(text) * 2 * perCharacter),
};

export const ipAddresses: Library = new LibraryBuilder(ipType, cidrType)
  .add('ip', 'string_to_ip', 'string -> IP', traversesArgument, parseIpOrFail)
  .add('isIP', 'is_ip', 'string -> bool', traversesArgument, (text: string) =>
    succeeds(() => parseIpOrFail(text)),
  )
  .add(
    'ip.isCanonical',
    'ip_is_canonical',
    'string -> bool',
    parseAndFormatCost,
    (text: string) => formatIp(parseIpOrFail(text).ip) === text,
  )
  .add('string', 'ip_to_string', 'IP -> string', nominal, ({ ip }: IpValue) => formatIp(ip))
  .add('family', '.ip_family', 'IP -> int', nominal, ({ ip }: IpValue) => (ip.family === 'IPv4' ? 4 : 6))
  .add('isUnspecified', '.ip_is_unspecified', 'IP -> bool', nominal, ({ ip }: IpValue) => ip.value === 0n)
  .add('isLoopback', '.ip_is_loopback', 'IP -> bool', nominal, ({ ip }: IpValue) => isLoopback(ip))
  .add('isLinkLocalMulticast', '.ip_is_link_local_multicast', 'IP -> bool', nominal, ({ ip }: IpValue) =>
    isLinkLocalMulticast(ip),
  )
  .add('isLinkLocalUnicast', '.ip_is_link_local_unicast', 'IP -> bool', nominal, ({ ip }: IpValue) =>
    isLinkLocal(ip),
  )
  .add('isGlobalUnicast', '.ip_is_global_unicast', 'IP -> bool', nominal, ({ ip }: IpValue) =>
    isGlobalUnicast(ip),
  )
  .library();

export const cidrs: Library = new LibraryBuilder(ipType, cidrType)
  .add('cidr', 'string_to_cidr', 'string -> CIDR', traversesArgument, parseCidrOrFail)
  .add('isCIDR', 'is_cidr', 'string -> bool', traversesArgument, (text: string) =>
    succeeds(() => parseCidrOrFail(text)),
  )
  .add('string', 'cidr_to_string', 'CIDR -> string', nominal, (value: CidrValue) => value.text)
  // As in kube-apiserver, an argument that cannot be parsed is a missing overload, not a parse error.
  .add(
    'containsIP',
    '.cidr_contains_ip_string',
    'CIDR, string -> bool',
    containsIpTextCost,
    (range: CidrValue, text: string) =>
      succeeds(() => parseIpOrFail(text)) ? containsIp(range, parseIpOrFail(text)) : noSuchOverload(),
  )
  .add('containsIP', '.cidr_contains_ip_ip', 'CIDR, IP -> bool', containsIpCost, containsIp)
  .add(
    'containsCIDR',
    '.cidr_contains_cidr_string',
    'CIDR, string -> bool',
    containsCidrTextCost,
    (range: CidrValue, text: string) =>
      succeeds(() => parseCidrOrFail(text)) ? containsCidr(range, parseCidrOrFail(text)) : noSuchOverload(),
  )
  .add('containsCIDR', '.cidr_contains_cidr', 'CIDR, CIDR -> bool', containsCidrCost, containsCidr)
  .add(
    'ip',
    '.cidr_ip',
    'CIDR -> IP',
    nominal,
    ({ cidr, address }: CidrValue) => new IpValue({ family: cidr.family, value: address }),
  )
  .add(
    'masked',
    '.cidr_masked',
    'CIDR -> CIDR',
    nominal,
    ({ cidr }: CidrValue) => new CidrValue(cidr, cidr.network),
  )
  .add('prefixLength', '.cidr_prefix_length', 'CIDR -> int', nominal, ({ cidr }: CidrValue) => cidr.prefix)
  .library();
