// Admission: authorization of the verbs attest, approve and sign on the resource signers.
import { toRequestInfo } from '../../../apis/authorization/review-attributes.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';

type SignerVerb = 'attest' | 'approve' | 'sign';

const messages: Readonly<Record<SignerVerb, string>> = {
  attest: 'user not permitted to attest for signerName',
  approve: 'user not permitted to approve requests with signerName',
  sign: 'user not permitted to sign requests with signerName',
};

/**
 * Rejects the request unless the user may use the verb on the signer, or on all signers of its domain
 * (`example.com/*`).
 */
export async function requireSignerAccess(
  verb: SignerVerb,
  signer: string,
  attributes: Attributes,
): Promise<void> {
  const domain = signer.split('/', 1)[0]!;
  if (await isAllowed(verb, signer, attributes)) return;
  if (await isAllowed(verb, `${domain}/*`, attributes)) return;
  throw newForbidden(attributes, `${messages[verb]} ${JSON.stringify(signer)}`);
}

async function isAllowed(verb: SignerVerb, name: string, { api, user }: Attributes): Promise<boolean> {
  const group = api.dialect.groupName('certificates');
  const request = toRequestInfo({
    resourceAttributes: { group, version: '*', resource: 'signers', verb, name },
  });
  return (await api.authorizer.authorize(user, request)).allowed;
}
