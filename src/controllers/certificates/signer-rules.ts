// CertificateSigningRequests: the rules of the built-in signers, as in pkg/controller/certificates/signer.
import type { DialectSigners } from '../../dialect/dialect.ts';
import type { SigningRequest } from '../../pki/signing-request.ts';

/** Returns why the signer rejects a request; undefined if it signs the request. */
export type SignerRule = (request: SigningRequest, usages: readonly string[]) => string | undefined;

/** The rules by signer name. */
export function signerRules(signers: DialectSigners): ReadonlyMap<string, SignerRule> {
  return new Map<string, SignerRule>([
    [signers.apiServerClient, (_request, usages) => clientUsageProblem(usages)],
    [signers.apiServerClientKubelet, kubeletClientProblem],
    [signers.kubeletServing, kubeletServingProblem],
    [signers.legacyUnknown, () => undefined],
  ]);
}

const nodesGroup = 'system:nodes';
const nodeUserPrefix = 'system:node:';

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const allowed = ['client auth', 'digital signature', 'key encipherment'];
  const invalidUsage = usages.find((usage) => !allowed.includes(usage));
  if (invalidUsage !== undefined) return `invalid usage for client certificate: ${invalidUsage}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

/** Client certificate of a kubelet for this API server. */
export const kubeletClientProblem: SignerRule = (request, usages) => {
  const { dnsNames, emails, ipAddresses, uris } = request.subjectAltNames;
  return (
    organizationProblem(request) ??
    (dnsNames.length > 0 ? notAllowed('DNS') : undefined) ??
    (emails.length > 0 ? notAllowed('Email') : undefined) ??
    (ipAddresses.length > 0 ? notAllowed('IP') : undefined) ??
    (uris.length > 0 ? notAllowed('URI') : undefined) ??
    nameProblem(request) ??
    usageProblem(usages, 'client auth')
  );
};

/** Serving certificate of a kubelet. */
const kubeletServingProblem: SignerRule = (request, usages) => {
  const { dnsNames, emails, ipAddresses, uris } = request.subjectAltNames;
  return (
    organizationProblem(request) ??
    (dnsNames.length + ipAddresses.length === 0 ? 'DNS or IP subjectAltName is required' : undefined) ??
    (emails.length > 0 ? notAllowed('Email') : undefined) ??
    (uris.length > 0 ? notAllowed('URI') : undefined) ??
    usageProblem(usages, 'server auth') ??
    nameProblem(request)
  );
};

const notAllowed = (type: string) => `${type} subjectAltNames are not allowed`;

function organizationProblem({ organizations }: SigningRequest): string | undefined {
  return organizations.length === 1 && organizations[0] === nodesGroup
    ? undefined
    : `subject organization is not ${nodesGroup}`;
}

function nameProblem({ commonName }: SigningRequest): string | undefined {
  return commonName.startsWith(nodeUserPrefix)
    ? undefined
    : `subject common name does not begin with ${nodeUserPrefix}`;
}

/** `key encipherment` is optional: key types without it, such as ECDSA, omit that usage. */
function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const allowed = ['digital signature', 'key encipherment', purpose].sort();
  const required = allowed.filter((usage) => usage !== 'key encipherment');
  const isMatch =
    usages.every((usage) => allowed.includes(usage)) && required.every((usage) => usages.includes(usage));
  return isMatch ? undefined : `usages did not match [${allowed.join(' ')}]`;
}
