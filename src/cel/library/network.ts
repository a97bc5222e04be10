import { bitsOf, type Cidr, contains, readCidr } from '../../base/cidr.ts';
import { type Ip, ipText, readIp } from '../../base/ip-address.ts';
import { isLinkLocal, isLinkLocalMulticast, isLoopback } from '../../kind/meta/address-rules.ts';
import { CelObject } from '../cel-object.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { EvaluationProblem, fail, noSuchOverload } from '../errors.ts';
import { type CelType, opaque } from '../types.ts';

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

  get costSize(): number {
    return bitsOf(this.ip.family) / 8;
  }

  override equals(other: unknown): boolean {
    return other instanceof IpValue && other.ip.family === this.ip.family && other.ip.value === this.ip.value;
  }
}

class CidrValue extends CelObject {
  readonly cidr: Cidr;
  /** The address as written, which need not be the first of the range. */
  readonly address: bigint;

  constructor(cidr: Cidr, address: bigint) {
    super();
    this.cidr = cidr;
    this.address = address;
  }

  override get type(): CelType {
    return cidrType;
  }

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
    return `${ipText({ family: this.cidr.family, value: this.address })}/${this.cidr.prefix}`;
  }
}

function ipOf(text: string): IpValue {
  const [bare = '', zone] = text.split('%');
  if (zone !== undefined && zone !== '' && readIp(bare)?.family === 'IPv6')
    return fail(`IP address "${text}" with zone value is not allowed`);
  const ip = readIp(text);
  if (!ip || ip.hasLeadingZeros) {
    const reason = ip ? 'IPv4 field has octet with leading zero' : 'unable to parse IP';
    return fail(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): ${reason}`,
    );
  }
  return ip.isMapped ? fail(`IPv4-mapped IPv6 address "${text}" is not allowed`) : new IpValue(ip);
}

function cidrOf(text: string): CidrValue {
  const cidr = readCidr(text);
  if (!cidr || cidr.hasLeadingZeros) {
    const problem = 'network address parse error during conversion from string';
    const reason = text.includes('/') ? 'unable to parse' : "no '/'";
    return fail(`${problem}: ${problem}: netip.ParsePrefix("${text}"): ${reason}`);
  }
  if (cidr.isMapped) return fail(`IPv4-mapped IPv6 address "${text}" is not allowed`);
  return new CidrValue(cidr, cidr.address);
}

function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (problem) {
    if (problem instanceof EvaluationProblem) return false;
    throw problem;
  }
}

const isMulticast = ({ family, value }: Ip) =>
  family === 'IPv4' ? value >> 28n === 0xen : value >> 120n === 0xffn;

function isGlobalUnicast(ip: Ip): boolean {
  const isBroadcast = ip.family === 'IPv4' && ip.value === 0xffffffffn;
  return !isBroadcast && ip.value !== 0n && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocal(ip);
}

const holdsIp = ({ cidr }: CidrValue, { ip }: IpValue) => contains(cidr, ip);
const holdsCidr = ({ cidr }: CidrValue, other: CidrValue) =>
  cidr.prefix <= other.cidr.prefix &&
  contains(cidr, { family: other.cidr.family, value: other.cidr.network });

export const ipAddresses: Library = new LibraryBuilder(ipType, cidrType)
  .add('ip', 'string_to_ip', 'string -> IP', ipOf)
  .add('isIP', 'is_ip', 'string -> bool', (text: string) => parses(() => ipOf(text)))
  .add(
    'ip.isCanonical',
    'ip_is_canonical',
    'string -> bool',
    (text: string) => ipText(ipOf(text).ip) === text,
  )
  .add('string', 'ip_to_string', 'IP -> string', ({ ip }: IpValue) => ipText(ip))
  .add('family', '.ip_family', 'IP -> int', ({ ip }: IpValue) => (ip.family === 'IPv4' ? 4 : 6))
  .add('isUnspecified', '.ip_is_unspecified', 'IP -> bool', ({ ip }: IpValue) => ip.value === 0n)
  .add('isLoopback', '.ip_is_loopback', 'IP -> bool', ({ ip }: IpValue) => isLoopback(ip))
  .add('isLinkLocalMulticast', '.ip_is_link_local_multicast', 'IP -> bool', ({ ip }: IpValue) =>
    isLinkLocalMulticast(ip),
  )
  .add('isLinkLocalUnicast', '.ip_is_link_local_unicast', 'IP -> bool', ({ ip }: IpValue) => isLinkLocal(ip))
  .add('isGlobalUnicast', '.ip_is_global_unicast', 'IP -> bool', ({ ip }: IpValue) => isGlobalUnicast(ip))
  .library();

export const cidrs: Library = new LibraryBuilder(ipType, cidrType)
  .add('cidr', 'string_to_cidr', 'string -> CIDR', cidrOf)
  .add('isCIDR', 'is_cidr', 'string -> bool', (text: string) => parses(() => cidrOf(text)))
  .add('string', 'cidr_to_string', 'CIDR -> string', (value: CidrValue) => value.text)
  .add('containsIP', '.cidr_contains_ip_string', 'CIDR, string -> bool', (range: CidrValue, text: string) =>
    parses(() => ipOf(text)) ? holdsIp(range, ipOf(text)) : noSuchOverload(),
  )
  .add('containsIP', '.cidr_contains_ip_ip', 'CIDR, IP -> bool', holdsIp)
  .add(
    'containsCIDR',
    '.cidr_contains_cidr_string',
    'CIDR, string -> bool',
    (range: CidrValue, text: string) =>
      parses(() => cidrOf(text)) ? holdsCidr(range, cidrOf(text)) : noSuchOverload(),
  )
  .add('containsCIDR', '.cidr_contains_cidr', 'CIDR, CIDR -> bool', holdsCidr)
  .add(
    'ip',
    '.cidr_ip',
    'CIDR -> IP',
    ({ cidr, address }: CidrValue) => new IpValue({ family: cidr.family, value: address }),
  )
  .add('masked', '.cidr_masked', 'CIDR -> CIDR', ({ cidr }: CidrValue) => new CidrValue(cidr, cidr.network))
  .add('prefixLength', '.cidr_prefix_length', 'CIDR -> int', ({ cidr }: CidrValue) => cidr.prefix)
  .library();
