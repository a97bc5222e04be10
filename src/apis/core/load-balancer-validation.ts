// LoadBalancerStatus of Service and Ingress: validation and warnings.
import { parseIp } from '../../base/ip-address.ts';
import { addErrors, type FieldError, forbidden, invalid, notSupported } from '../../errors/field-error.ts';
import type { AddressRules } from '../../kind/meta/address-rules.ts';
import { dnsSubdomain } from '../../schema/names.ts';

/** A load balancer ingress point of a Service or an Ingress. */
interface IngressPoint {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
}

/** The LoadBalancerStatus of either kind. */
interface IngressPoints {
  readonly ingress?: readonly IngressPoint[];
}

const ingressPath = 'status.loadBalancer.ingress';
const ipModes = ['Proxy', 'VIP'];

export function validateLoadBalancerIngress(
  { ingress = [] }: IngressPoints,
  { ingress: old = [] }: IngressPoints,
  rules: AddressRules,
): FieldError[] {
  const oldIps = new Set(old.flatMap(({ ip }) => ip ?? []));
  return ingress.flatMap((point, i) => validateIngressPoint(point, oldIps, `${ingressPath}[${i}]`, rules));
}

function validateIngressPoint(
  { ip, hostname, ipMode }: IngressPoint,
  oldIps: ReadonlySet<string>,
  fieldPath: string,
  rules: AddressRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (ip)
    addErrors(
      errors,
      rules.ip(ip, oldIps).map((problem) => invalid(`${fieldPath}.ip`, ip, problem)),
    );
  if (ipMode !== undefined) {
    if (!ip) errors.push(forbidden(`${fieldPath}.ipMode`, 'may not be specified when `ip` is not set'));
    else if (!ipModes.includes(ipMode)) errors.push(notSupported(`${fieldPath}.ipMode`, ipMode, ipModes));
  }
  if (hostname) {
    addErrors(
      errors,
      dnsSubdomain(hostname).map((problem) => invalid(`${fieldPath}.hostname`, hostname, problem)),
    );
    if (parseIp(hostname)) {
      errors.push(invalid(`${fieldPath}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
  }
  return errors;
}

export function loadBalancerIngressWarnings({ ingress = [] }: IngressPoints, rules: AddressRules): string[] {
  return ingress.flatMap(({ ip }, i) => (ip ? rules.ipWarnings(ip, `${ingressPath}[${i}]`) : []));
}
