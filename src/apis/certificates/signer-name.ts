// Validation of signer names (upstream: ValidateSignerName).

import { type FieldError, invalid, required, tooLong } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { dnsLabel, dnsSubdomain, type NameRule, nameIsSubdomain } from '../../schema/names.ts';

const maxDomainLength = 253;
const maxPathLength = 253 + 1 + 63;

/** Requires `domain/path`, where the path consists of DNS labels separated by dots. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const [domain, pathPart, ...more] = name.split('/');
  if (domain === undefined || pathPart === undefined || more.length > 0) {
    return [
      invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  }
  const errors: FieldError[] = [];
  const check = (part: string, rule: (label: string) => string[]) => {
    for (const label of part.split('.')) {
      for (const problem of rule(label)) {
        errors.push(invalid(path, part, `validating label ${quote(label)}: ${problem}`));
      }
    }
  };
  if (Buffer.byteLength(domain) > maxDomainLength) errors.push(tooLong(path, maxDomainLength));
  check(domain, dnsLabel);
  if (!domain.includes('.')) {
    errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  }
  check(pathPart, dnsSubdomain);
  const max = maxDomainLength + 1 + maxPathLength;
  if (Buffer.byteLength(name) > max) errors.push(tooLong(path, max));
  return errors;
}

/** A bundle with a signer is named `example.com:signer-name:<name>`, a bundle without one just `<name>`. */
export function clusterTrustBundleNameRule(signerName: string): NameRule {
  return (name, prefix) => {
    if (signerName === '') {
      if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
      return nameIsSubdomain(name, prefix);
    }
    const start = `${signerName.replaceAll('/', ':')}:`;
    if (!name.startsWith(start)) {
      return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${start}`];
    }
    return nameIsSubdomain(name.slice(start.length), prefix);
  };
}
