// Defaults and validates ipFamilies and ipFamilyPolicy of a Service (kube-apiserver: initIPFamilyFields).
import type { Service } from '../../apis/core/service.ts';
import { validateClusterIps } from '../../apis/core/service-addresses.ts';
import { hasSameClusterIps, hasSameIpFamilies, isHeadless } from '../../apis/core/service-traits.ts';
import { type IpFamily, parseIp } from '../../base/ip-address.ts';
import { type FieldError, goStringSlice, invalid } from '../../errors/field-error.ts';
import type { AddressRules } from '../../kind/meta/address-rules.ts';

/** The IP families of the cluster, the default family first. */
export type ClusterFamilies = readonly IpFamily[];

/** Sets ipFamilies and ipFamilyPolicy. Returns validation errors, after which the fields may be incomplete. */
export function initIpFamilyFields(
  service: Service,
  old: Service | undefined,
  cluster: ClusterFamilies,
  rules: AddressRules,
): FieldError[] {
  const { spec } = service;
  if (spec.type === 'ExternalName') return [];
  if (old && old.spec.type !== 'ExternalName') {
    copyOmittedFamilyFields(service, old);
    if (isUnchangedPreferDualStack(service, old)) return [];
  }
  const malformed = validateClusterIps(service, old, rules);
  if (malformed.length > 0) return malformed;

  // The endpoints of a headless Service without selector may have any family, even one that the cluster lacks.
  const isSelectorlessHeadless = isHeadless(service) && Object.keys(spec.selector ?? {}).length === 0;
  if (!isSelectorlessHeadless) spec.ipFamilyPolicy ??= 'SingleStack';
  const errors = [
    ...releaseSecondaryFamily(service, old),
    ...validatePolicy(service),
    ...inferFamilies(service, cluster),
  ];
  if (errors.length > 0) return errors;
  if (isSelectorlessHeadless) {
    initSelectorlessHeadless(service, cluster);
    return [];
  }
  const missing = validateFamiliesConfigured(service, cluster);
  if (missing.length > 0) return missing;
  if (!spec.ipFamilies?.length) spec.ipFamilies = [cluster[0]!];
  if (spec.ipFamilyPolicy !== 'SingleStack' && spec.ipFamilies.length === 1 && cluster.length === 2) {
    spec.ipFamilies = [...spec.ipFamilies, otherFamily(spec.ipFamilies[0]!)];
  }
  return [];
}

/** An update keeps the family fields that it omits. */
function copyOmittedFamilyFields({ spec }: Service, { spec: oldSpec }: Service): void {
  if (oldSpec.ipFamilyPolicy) spec.ipFamilyPolicy ??= oldSpec.ipFamilyPolicy;
  if (!spec.ipFamilies?.length && oldSpec.ipFamilies) spec.ipFamilies = [...oldSpec.ipFamilies];
}

/** An unchanged PreferDualStack Service stays single-stack, even if the cluster has become dual-stack since. */
function isUnchangedPreferDualStack(service: Service, old: Service): boolean {
  const prefers = ({ spec }: Service) => spec.ipFamilyPolicy === 'PreferDualStack';
  return (
    prefers(service) && prefers(old) && hasSameClusterIps(service, old) && hasSameIpFamilies(service, old)
  );
}

/** Only a change to SingleStack releases the secondary address and family. */
function releaseSecondaryFamily(service: Service, old: Service | undefined): FieldError[] {
  const { spec } = service;
  if (!old || old.spec.type === 'ExternalName') return [];
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (hasSameClusterIps(service, old)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1) ?? [];
    if (hasSameIpFamilies(service, old)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1) ?? [];
    return [];
  }
  const errors: FieldError[] = [];
  const rejectShorter = (field: 'clusterIPs' | 'ipFamilies', name: string) => {
    const count = spec[field]?.length ?? 0;
    if (count === 0 || count >= (old.spec[field]?.length ?? 0)) return;
    const problem = `must be 'SingleStack' to release the secondary ${name}`;
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, problem));
  };
  rejectShorter('clusterIPs', 'cluster IP');
  rejectShorter('ipFamilies', 'IP family');
  return errors;
}

function validatePolicy({ spec }: Service): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const errors: FieldError[] = [];
  const rejectTwo = (values: readonly string[] | undefined, name: string) => {
    if (values?.length !== 2) return;
    const problem = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${name} are specified`;
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, problem));
  };
  rejectTwo(spec.clusterIPs, 'cluster IPs');
  rejectTwo(spec.ipFamilies, 'IP families');
  return errors;
}

/** Infers missing ipFamilies from the requested addresses. */
function inferFamilies({ spec }: Service, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  const { clusterIPs = [] } = spec;
  clusterIPs.forEach((text, i) => {
    const family = parseIp(text)?.family;
    if (!family || i < (spec.ipFamilies?.length ?? 0)) return;
    if (cluster.includes(family)) {
      spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
      return;
    }
    const problem = `${family} is not configured on this cluster`;
    errors.push(invalid(`spec.clusterIPs[${i}]`, goStringSlice(clusterIPs), problem));
  });
  return errors;
}

function initSelectorlessHeadless({ spec }: Service, cluster: ClusterFamilies): void {
  if (!spec.ipFamilies?.length) spec.ipFamilies = [cluster[0]!];
  if (spec.ipFamilies.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    spec.ipFamilies = [...spec.ipFamilies, otherFamily(spec.ipFamilies[0]!)];
  }
  spec.ipFamilyPolicy ??= 'RequireDualStack';
}

function validateFamiliesConfigured({ spec }: Service, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && cluster.length < 2) {
    const problem = 'this cluster is not configured for dual-stack services';
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, problem));
  }
  (spec.ipFamilies ?? []).forEach((family, i) => {
    if (cluster.includes(family as IpFamily)) return;
    errors.push(invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
  });
  return errors;
}

function otherFamily(family: string): IpFamily {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}
