// NetworkPolicy: validation of the spec (upstream: ValidateNetworkPolicySpec).

import { cidrContains, parseCidr } from '../../base/cidr.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { AddressRules } from '../../kind/meta/address-rules.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { portName, portNumber } from '../../schema/names.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from './networkpolicy.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** Returns the problems of a CIDR; those of the stored object stay valid (ratcheting). */
type CidrRule = (text: string) => string[];

/** Validates the spec. `old` is the stored object, whose CIDRs stay valid. */
export function validateNetworkPolicy(
  { spec }: NetworkPolicy,
  old: NetworkPolicy | undefined,
  rules: AddressRules,
): FieldError[] {
  const oldCidrs = new Set(old && collectCidrs(old).map(({ cidr }) => cidr));
  const cidrProblems: CidrRule = (text) => rules.cidr(text, oldCidrs);
  return [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...(spec.ingress ?? []).flatMap(({ ports = [], from = [] }, i) => [
      ...ports.flatMap((port, k) => validatePort(port, `spec.ingress[${i}].ports[${k}]`)),
      ...from.flatMap((peer, k) => validatePeer(peer, `spec.ingress[${i}].from[${k}]`, cidrProblems)),
    ]),
    ...(spec.egress ?? []).flatMap(({ ports = [], to = [] }, i) => [
      ...ports.flatMap((port, k) => validatePort(port, `spec.egress[${i}].ports[${k}]`)),
      ...to.flatMap((peer, k) => validatePeer(peer, `spec.egress[${i}].to[${k}]`, cidrProblems)),
    ]),
    ...validateTypes(spec.policyTypes ?? []),
  ];
}

function validateTypes(types: readonly string[]): FieldError[] {
  if (types.length > policyTypes.length) {
    const badValue = new FormattedValue(`[]networking.PolicyType{${types.map(quote).join(', ')}}`);
    return [invalid('spec.policyTypes', badValue, 'may not specify more than two policyTypes')];
  }
  return types.flatMap((type, i) =>
    policyTypes.includes(type) ? [] : [notSupported(`spec.policyTypes[${i}]`, type, policyTypes)],
  );
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(`${path}.protocol`, protocol, protocols));
  }
  const rejectEndPort = (value: number | undefined, problem: string) =>
    errors.push(invalid(`${path}.endPort`, value, problem));
  if (port === undefined) {
    if (endPort !== undefined) rejectEndPort(endPort, 'may not be specified when `port` is not specified');
    return errors;
  }
  const problems = typeof port === 'number' ? portNumber(port) : portName(port);
  addErrors(
    errors,
    problems.map((problem) => invalid(`${path}.port`, port, problem)),
  );
  if (endPort === undefined) return errors;
  if (typeof port === 'string') {
    rejectEndPort(endPort, 'may not be specified when `port` is non-numeric');
    return errors;
  }
  // kube-apiserver prints `port` as the bad value of endPort.
  if (endPort < port) rejectEndPort(port, 'must be greater than or equal to `port`');
  for (const problem of portNumber(endPort)) rejectEndPort(endPort, problem);
  return errors;
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  path: string,
  cidrProblems: CidrRule,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? validateIpBlock(ipBlock, `${path}.ipBlock`, cidrProblems) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) {
    return [...errors, required(path, 'must specify a peer')];
  }
  if (ipBlock && (podSelector || namespaceSelector)) {
    return [...errors, forbidden(path, 'may not specify both ipBlock and another peer')];
  }
  return errors;
}

function validateIpBlock({ cidr, except = [] }: IPBlock, path: string, cidrProblems: CidrRule): FieldError[] {
  if (!cidr) return [required(`${path}.cidr`)];
  const blockProblems = cidrProblems(cidr);
  if (blockProblems.length > 0) {
    return blockProblems.map((problem) => invalid(`${path}.cidr`, cidr, problem));
  }
  const block = parseCidr(cidr);
  return except.flatMap((text, i) => {
    const fieldPath = `${path}.except[${i}]`;
    const problems = cidrProblems(text);
    if (problems.length > 0) return problems.map((problem) => invalid(fieldPath, text, problem));
    const exception = parseCidr(text);
    const isInside =
      block &&
      exception &&
      cidrContains(block, { family: exception.family, value: exception.network }) &&
      exception.prefix > block.prefix;
    return isInside ? [] : [invalid(fieldPath, text, 'must be a strict subset of `cidr`')];
  });
}

/** All CIDRs of a policy with their field paths. */
export function collectCidrs({ spec }: NetworkPolicy): { cidr: string; path: string }[] {
  const cidrsOfPeers = (peers: readonly NetworkPolicyPeer[] | undefined, path: string) =>
    (peers ?? []).flatMap(({ ipBlock }, i) => {
      if (!ipBlock) return [];
      const fieldPath = `${path}[${i}].ipBlock`;
      const except = (ipBlock.except ?? []).map((cidr, k) => ({ cidr, path: `${fieldPath}.except[${k}]` }));
      return [{ cidr: ipBlock.cidr, path: `${fieldPath}.cidr` }, ...except];
    });
  return [
    ...(spec.ingress ?? []).flatMap(({ from }, i) => cidrsOfPeers(from, `spec.ingress[${i}].from`)),
    ...(spec.egress ?? []).flatMap(({ to }, i) => cidrsOfPeers(to, `spec.egress[${i}].to`)),
  ];
}
