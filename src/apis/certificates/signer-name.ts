// Signer names of CertificateSigningRequest and ClusterTrustBundle: validation (upstream: ValidateSignerName).

import { type FieldError, invalid, required, tooLong } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { dnsLabel, dnsSubdomain, type NameRule, nameIsSubdomain } from '../../schema/names.ts';

const maxDomainLength = 253;
const maxPathLength = 253 + 1 + 63;

/** Requires `domain/path`, where the path consists of DNS labels separated by dots. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const [domain, pathPart, ...furtherParts] = name.split('/');
  if (domain === undefined || pathPart === undefined || furtherParts.length > 0) {
    return [
      invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  }
  const errors: FieldError[] = [];
  const validateLabels = (part: string, rule: (label: string) => string[]) => {
    for (const label of part.split('.')) {
      for (const problem of rule(label)) {
        errors.push(invalid(path, part, `validating label ${quote(label)}: ${problem}`));
      }
    }
  };
  if (Buffer.byteLength(domain) > maxDomainLength) errors.push(tooLong(path, maxDomainLength));
  validateLabels(domain, dnsLabel);
  if (!domain.includes('.')) {
    errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  }
  validateLabels(pathPart, dnsSubdomain);
  const maxLength = maxDomainLength + 1 + maxPathLength;
  if (Buffer.byteLength(name) > maxLength) errors.push(tooLong(path, maxLength));
  return errors;
}

/** A bundle with a signer is named `example.com:signer-name:<name>`, a bundle without one just `<name>`. */
export function clusterTrustBundleNameRule(signerName: string): NameRule {
  return (name, prefix) => {
    if (signerName === '') {
      if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
      return nameIsSubdomain(name, prefix);
    }
    const requiredPrefix = `${signerName.replaceAll('/', ':')}:`;
    if (!name.startsWith(requiredPrefix)) {
      return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${requiredPrefix}`];
    }
    return nameIsSubdomain(name.slice(requiredPrefix.length), prefix);
  };
}
