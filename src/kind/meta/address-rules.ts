// Validation of IP addresses and CIDRs in API fields (upstream: apimachinery's validation of IPs).

import { addressBits, formatCidr, parseCidr } from '../../base/cidr.ts';
import {
  formatIp,
  type IpFamily,
  isLinkLocal,
  isLinkLocalMulticast,
  isLoopback,
  parseIp,
} from '../../base/ip-address.ts';
import type { KindContext } from '../context.ts';

const notAnIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const notACidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Requires an IP address in canonical form (upstream: IsValidIP). */
export function validateCanonicalIp(text: string): string[] {
  const problems = validateStrictIp(text);
  const ip = parseIp(text);
  if (problems.length > 0 || !ip || formatIp(ip) === text) return problems;
  return [`must be in canonical form ("${formatIp(ip)}")`];
}

function validateStrictIp(text: string): string[] {
  const ip = parseIp(text);
  if (!ip) return [notAnIp];
  if (ip.hasLeadingZeros) return ['must not have leading 0s'];
  return ip.isIPv4Mapped ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Requires a CIDR in canonical form (upstream: IsValidCIDR). */
export function validateCanonicalCidr(text: string): string[] {
  const problems = validateStrictCidr(text);
  const cidr = parseCidr(text);
  if (problems.length > 0 || !cidr || formatCidr(cidr) === text) return problems;
  return [`must be in canonical form ("${formatCidr(cidr)}")`];
}

function validateStrictCidr(text: string): string[] {
  const cidr = parseCidr(text);
  if (!cidr) return [notACidr];
  if (cidr.hasLeadingZeros) return ['must not have leading 0s in IP or prefix length'];
  if (cidr.isIPv4Mapped) return ['must not have an IPv4-mapped IPv6 address'];
  return cidr.address === cidr.network ? [] : ['must not have bits set beyond the prefix length'];
}

/** Rejects unspecified, loopback and link-local addresses (upstream: ValidateEndpointIP). */
export function validateNonSpecialIp(text: string): string[] {
  const ip = parseIp(text);
  if (!ip) return ['must be a valid IP address'];
  const problems: string[] = [];
  if (ip.value === 0n) problems.push(`may not be unspecified (${text})`);
  if (isLoopback(ip)) problems.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isLinkLocal(ip)) problems.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isLinkLocalMulticast(ip)) {
    problems.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return problems;
}

/** Requires an address of the given IP family. Another rule reports an unparsable address. */
export function validateIpFamily(text: string, family: IpFamily): string[] {
  const ip = parseIp(text);
  return ip && ip.family !== family ? [`must be an ${family} address`] : [];
}

/**
 * Rules for fields that predate strict IP and CIDR validation: a non-strict value gets a warning, and is rejected if the
 * StrictIPCIDRValidation gate is on. Values in `oldValues`, those of the stored object, stay valid (ratcheting).
 */
export interface AddressRules {
  ip(text: string, oldValues?: ReadonlySet<string>): string[];
  cidr(text: string, oldValues?: ReadonlySet<string>): string[];
  ipWarnings(text: string, path: string): string[];
  cidrWarnings(text: string, path: string): string[];
}

export function addressRules({ features, dialect }: KindContext): AddressRules {
  const strict = features.enabled('StrictIPCIDRValidation');
  const nonStandardWarning = (valueName: string, text: string, path: string, canonical: string) =>
    `${path}: non-standard ${valueName} "${text}" will be considered invalid in a future ${dialect.title} release: use "${canonical}"`;
  const notCanonicalWarning = (valueName: string, text: string, path: string, canonical: string) =>
    `${path}: IPv6 ${valueName} "${text}" should be in RFC 5952 canonical format ("${canonical}")`;
  return {
    ip(text, oldValues) {
      if (oldValues?.has(text)) return [];
      if (strict) return validateStrictIp(text);
      return parseIp(text) ? [] : [notAnIp];
    },
    cidr(text, oldValues) {
      if (oldValues?.has(text)) return [];
      if (strict) return validateStrictCidr(text);
      return parseCidr(text) ? [] : [notACidr];
    },
    ipWarnings(text, path) {
      const ip = parseIp(text);
      if (!ip) return [];
      const canonical = formatIp(ip);
      if (ip.hasLeadingZeros || ip.isIPv4Mapped)
        return [nonStandardWarning('IP address', text, path, canonical)];
      return canonical === text ? [] : [notCanonicalWarning('address', text, path, canonical)];
    },
    cidrWarnings(text, path) {
      const cidr = parseCidr(text);
      if (!cidr) return [];
      const canonical = formatCidr(cidr);
      const warnings: string[] = [];
      if (cidr.address !== cidr.network) {
        const single = `${formatIp({ family: cidr.family, value: cidr.address })}/${addressBits(cidr.family)}`;
        warnings.push(
          `${path}: CIDR value "${text}" is ambiguous in this context (should be "${canonical}" or "${single}"?)`,
        );
      }
      if (cidr.hasLeadingZeros || cidr.isIPv4Mapped) {
        warnings.push(nonStandardWarning('CIDR value', text, path, canonical));
      }
      if (warnings.length > 0 || canonical === text) return warnings;
      return [notCanonicalWarning('CIDR value', text, path, canonical)];
    },
  };
}
