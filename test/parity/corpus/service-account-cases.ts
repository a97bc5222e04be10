import { del, type JsonObject, type Kept, post, type Step } from '../case.ts';
import { claimsOf, type Signer } from '../tokens.ts';

/** Service accounts, what their tokens are bound to, and who a token is taken for. */

export const accounts = '/api/v1/namespaces/{ns}/serviceaccounts';
export const tokenPath = (name = 'builder') => `${accounts}/${name}/token`;
export const issuer = 'https://reference.local';

export const account = (name = 'builder'): Step => post(accounts, { metadata: { name } }, { as: name });

export const pod = (name: string, more: JsonObject = {}): Step =>
  post(
    '/api/v1/namespaces/{ns}/pods',
    {
      metadata: { name },
      spec: {
        serviceAccountName: 'builder',
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'i' }],
        ...more,
      },
    },
    { as: name, pick: ({ metadata }) => (metadata as JsonObject).name ?? null },
  );
export const secret = (name: string): Step =>
  post('/api/v1/namespaces/{ns}/secrets', { metadata: { name } }, { as: name });
export const node = (name = '{name}'): Step =>
  post('/api/v1/nodes', { metadata: { name } }, { as: 'node', pick: ({ kind }) => kind ?? null });
export const gone = (path: string): Step =>
  del(path, { gracePeriodSeconds: 0 }, { pick: ({ kind }) => kind ?? null });

/** Asks for a token; kept `as` the name, it is `{name.token}` from then on. */
export const request = (spec: JsonObject, as?: string): Step =>
  post(tokenPath(), { spec }, as === undefined ? {} : { as });
export const boundTo = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
  boundObjectRef: { kind, apiVersion: 'v1', name, ...more },
});

export const review = (token: string, audiences?: string[]): Step =>
  post('/apis/authentication.k8s.io/v1/tokenreviews', {
    spec: { token, ...(audiences && { audiences }) },
  });
/** Reviews a token that is signed for the purpose. It is not shown: it differs on each side. */
export const reviewSigned = (
  claims: (kept: Kept) => JsonObject,
  header: JsonObject = {},
  audiences?: string[],
): Step => {
  const spec = (kept: Kept, sign: Signer) => ({
    token: sign(claims(kept), header),
    ...(audiences && { audiences }),
  });
  return post('/apis/authentication.k8s.io/v1/tokenreviews', (kept, sign) => ({ spec: spec(kept, sign) }), {
    pick: ({ status }) => status ?? null,
  });
};

export const whoAmI = (token: string): Step =>
  post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { token });

/** What a kept token says, with changes; `null` leaves a claim out. */
export const likeToken =
  (name: string, changes: JsonObject | ((kept: Kept) => JsonObject) = {}) =>
  (kept: Kept): JsonObject => {
    const { token = '' } = (kept[name]?.status ?? {}) as { token?: string };
    const changed = { ...claimsOf(token), ...(typeof changes === 'function' ? changes(kept) : changes) };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
  };

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
