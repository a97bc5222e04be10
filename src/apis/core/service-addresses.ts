// Service: validation of clusterIPs, ipFamilies and ipFamilyPolicy (upstream: ValidateServiceClusterIPsRelatedFields).
import { parseIp } from '../../base/ip-address.ts';
import {
  duplicate,
  type FieldError,
  goStringSlice,
  invalid,
  notSupported,
} from '../../errors/field-error.ts';
import type { AddressRules } from '../../kind/meta/address-rules.ts';
import type { Service } from './service.ts';
import { isHeadless } from './service-traits.ts';

const supportedFamilies = ['IPv4', 'IPv6'];
const supportedPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const clusterIPsPath = 'spec.clusterIPs';

/** Validates the addresses and their families. IPs of the stored service, `old`, stay valid. */
export function validateClusterIps(
  service: Service,
  old: Service | undefined,
  rules: AddressRules,
): FieldError[] {
  if (service.spec.type === 'ExternalName') return [];
  const { clusterIPs = [] } = service.spec;
  const ipErrors = validateIps(clusterIPs, new Set(old?.spec.clusterIPs), rules);
  const errors = [...validatePrimaryClusterIP(service), ...validateFamilies(service), ...ipErrors];
  if (clusterIPs.length > 2) {
    errors.push(invalid(clusterIPsPath, goStringSlice(clusterIPs), 'may only hold up to 2 values'));
  }
  // The family checks below need parseable IP addresses.
  if (ipErrors.length > 0) return errors;
  return [...errors, ...validateDistinctFamilies(clusterIPs), ...validateClusterIPFamilies(service)];
}

function validatePrimaryClusterIP({ spec: { clusterIP, clusterIPs = [] } }: Service): FieldError[] {
  const primaryIp = clusterIPs[0] ?? '';
  if (primaryIp === (clusterIP ?? '')) return [];
  const problem = clusterIP
    ? 'first value must match `clusterIP`'
    : 'must be empty when `clusterIP` is not specified';
  return [invalid(clusterIPsPath, goStringSlice(clusterIPs), problem)];
}

function validateFamilies({ spec: { ipFamilies = [], ipFamilyPolicy } }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  ipFamilies.forEach((family, i) => {
    const fieldPath = `spec.ipFamilies[${i}]`;
    if (!supportedFamilies.includes(family)) errors.push(notSupported(fieldPath, family, supportedFamilies));
    if (seen.has(family)) errors.push(duplicate(fieldPath, family));
    seen.add(family);
  });
  if (ipFamilyPolicy !== undefined && !supportedPolicies.includes(ipFamilyPolicy)) {
    errors.push(notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, supportedPolicies));
  }
  return errors;
}

function validateIps(ips: readonly string[], oldIps: ReadonlySet<string>, rules: AddressRules): FieldError[] {
  return ips.flatMap((ip, i) => {
    if (i === 0 && ip === 'None') {
      if (ips.length === 1) return [];
      return [invalid(clusterIPsPath, goStringSlice(ips), "'None' must be the first and only value")];
    }
    return rules.ip(ip, oldIps).map((problem) => invalid(`${clusterIPsPath}[${i}]`, ip, problem));
  });
}

function validateDistinctFamilies(ips: readonly string[]): FieldError[] {
  const [first, second] = ips.map(parseIp);
  if (ips.length !== 2 || first?.family !== second?.family) return [];
  return [invalid(clusterIPsPath, goStringSlice(ips), 'may specify no more than one IP for each IP family')];
}

function validateClusterIPFamilies(service: Service): FieldError[] {
  if (isHeadless(service)) return [];
  const { clusterIPs = [], ipFamilies = [] } = service.spec;
  return clusterIPs.flatMap((ip, i) => {
    const family = ipFamilies[i];
    if (family === undefined || !supportedFamilies.includes(family) || parseIp(ip)?.family === family)
      return [];
    return [
      invalid(
        `${clusterIPsPath}[${i}]`,
        ip,
        `expected an ${family} value as indicated by \`ipFamilies[${i}]\``,
      ),
    ];
  });
}

/**
 * The primary clusterIP and ipFamily are immutable. The secondary can be added, and released with ipFamilyPolicy
 * SingleStack.
 */
export function validateDualStackUpdate(service: Service, old: Service): FieldError[] {
  if (service.spec.type === 'ExternalName' || old.spec.type === 'ExternalName') return [];
  const isNowHeadless = isHeadless(service);
  const wasHeadless = isHeadless(old);
  return [
    ...(isNowHeadless && wasHeadless ? [] : validateClusterIPsUpdate(service, old)),
    ...(isNowHeadless || wasHeadless ? [] : validateIPFamiliesUpdate(service, old)),
  ];
}

const immutableMessage = 'may not change once set';

function validateClusterIPsUpdate({ spec }: Service, { spec: old }: Service): FieldError[] {
  const newIps = spec.clusterIPs ?? [];
  const oldIps = old.clusterIPs ?? [];
  const badValue = goStringSlice(newIps);
  if (newIps.length === oldIps.length) {
    return oldIps.flatMap((ip, i) =>
      ip === newIps[i] ? [] : [invalid(`${clusterIPsPath}[${i}]`, badValue, immutableMessage)],
    );
  }
  const errors: FieldError[] = [];
  if (newIps.length === 0)
    errors.push(invalid(`${clusterIPsPath}[0]`, badValue, 'primary clusterIP can not be unset'));
  if (newIps.length > 0 && oldIps.length > 0 && newIps[0] !== oldIps[0]) {
    errors.push(invalid(`${clusterIPsPath}[0]`, badValue, immutableMessage));
  }
  if (newIps.length === 1 && oldIps.length === 2 && spec.ipFamilyPolicy !== 'SingleStack') {
    const problem = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, problem));
  }
  return errors;
}

function validateIPFamiliesUpdate({ spec }: Service, { spec: old }: Service): FieldError[] {
  const newFamilies = spec.ipFamilies ?? [];
  const oldFamilies = old.ipFamilies ?? [];
  // kube-apiserver reports a change of either family at index 0.
  const primaryPath = 'spec.ipFamilies[0]';
  const badValue = goStringSlice(newFamilies);
  if (newFamilies.length === oldFamilies.length) {
    return oldFamilies.flatMap((family, i) =>
      family === newFamilies[i] ? [] : [invalid(primaryPath, badValue, immutableMessage)],
    );
  }
  const errors: FieldError[] = [];
  if (newFamilies.length === 0)
    errors.push(invalid(primaryPath, badValue, 'primary ipFamily can not be unset'));
  if (newFamilies.length > 0 && oldFamilies.length > 0 && newFamilies[0] !== oldFamilies[0])
    errors.push(invalid(primaryPath, badValue, immutableMessage));
  if (newFamilies.length === 1 && oldFamilies.length === 2 && spec.ipFamilyPolicy !== 'SingleStack') {
    const problem = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, problem));
  }
  return errors;
}
