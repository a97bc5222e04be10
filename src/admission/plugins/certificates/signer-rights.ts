import { requestOf } from '../../../apis/authorization/review-attributes.ts';
import type { Attributes } from '../../attributes.ts';
import { refusal } from '../../refusal.ts';

/** What somebody may do in the name of a signer: vouch for anchors, decide about requests, sign them. */
export type SignerVerb = 'attest' | 'approve' | 'sign';

const refusals: Readonly<Record<SignerVerb, string>> = {
  attest: 'user not permitted to attest for signerName',
  approve: 'user not permitted to approve requests with signerName',
  sign: 'user not permitted to sign requests with signerName',
};

/** Refuses a write by who may not do this for the signer, nor for all signers of its domain (`example.com/*`). */
export async function refuseUnlessMay(
  verb: SignerVerb,
  signer: string,
  attributes: Attributes,
): Promise<void> {
  const domain = signer.split('/', 1)[0]!;
  if (await may(verb, signer, attributes)) return;
  if (await may(verb, `${domain}/*`, attributes)) return;
  throw refusal(attributes, `${refusals[verb]} ${JSON.stringify(signer)}`);
}

async function may(verb: SignerVerb, name: string, { api, user }: Attributes): Promise<boolean> {
  const group = api.dialect.groupName('certificates');
  const request = requestOf({ resourceAttributes: { group, version: '*', resource: 'signers', verb, name } });
  return (await api.authorizer.authorize(user, request)).allowed;
}
