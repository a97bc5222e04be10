// Pod: validation of dnsConfig and hostAliases (upstream: validatePodDNSConfig, ValidateHostAliases).
import { addErrors, type FieldError, goStringSlice, invalid, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { dnsSubdomain } from '../../schema/names.ts';
import type { HostAlias, PodDNSConfig } from './pod-network.ts';

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchesLength = 2048;

export function validateDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string | undefined,
  path: string,
  context: KindContext,
): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  if (policy === 'None') {
    if (!config) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [required(`${path}.nameservers`, detail)];
    }
  }
  const errors: FieldError[] = [];
  if (nameservers.length > maxNameservers) {
    const detail = `must not have more than ${maxNameservers} nameservers`;
    errors.push(invalid(`${path}.nameservers`, goStringSlice(nameservers), detail));
  }
  const { ip } = addressRules(context);
  for (const [i, server] of nameservers.entries()) {
    addErrors(
      errors,
      ip(server).map((problem) => invalid(`${path}.nameservers[${i}]`, server, problem)),
    );
  }
  if (searches.length > maxSearches) {
    const detail = `must not have more than ${maxSearches} search paths`;
    errors.push(invalid(`${path}.searches`, goStringSlice(searches), detail));
  }
  if (searches.join(' ').length > maxSearchesLength) {
    const detail = `must not have more than ${maxSearchesLength} characters (including spaces) in the search list`;
    errors.push(invalid(`${path}.searches`, goStringSlice(searches), detail));
  }
  for (const [i, search] of searches.entries()) {
    const isAllowedRoot = search === '.' && context.features.enabled('RelaxedDNSSearchValidation');
    if (isAllowedRoot) continue;
    const name = search.replace(/\.$/, '');
    addErrors(
      errors,
      searchDomainProblems(name, context).map((problem) => invalid(`${path}.searches[${i}]`, name, problem)),
    );
  }
  for (const [i, { name }] of options.entries()) {
    if (!name) errors.push(required(`${path}.options[${i}]`, 'must not be empty'));
  }
  return errors;
}

const relaxedSearchDomain = /^[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*$/;
/** kube-apiserver's message shows the DNS-1123 pattern although underscores are accepted. */
const printedPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

/** The problems of a DNS search domain. The feature gate RelaxedDNSSearchValidation allows underscores. */
function searchDomainProblems(name: string, { features }: KindContext): string[] {
  if (!features.enabled('RelaxedDNSSearchValidation')) return dnsSubdomain(name);
  const problems = name.length > 253 ? ['must be no more than 253 characters'] : [];
  if (relaxedSearchDomain.test(name)) return problems;
  return [
    ...problems,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character " +
      `(e.g. 'example.com', regex used for validation is '${printedPattern}')`,
  ];
}

export function validateHostAliases(
  aliases: readonly HostAlias[],
  path: string,
  context: KindContext,
): FieldError[] {
  const rules = addressRules(context);
  return aliases.flatMap(({ ip, hostnames = [] }, i) => [
    ...rules.ip(ip).map((problem) => invalid(`${path}[${i}].ip`, ip, problem)),
    ...hostnames.flatMap((name, j) =>
      dnsSubdomain(name).map((problem) => invalid(`${path}[${i}].hostnames[${j}]`, name, problem)),
    ),
  ]);
}
