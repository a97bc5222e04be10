// Forged, altered and revoked service account tokens, and the rotation of their signing key.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from '../parity/client.ts';
import type { StartedServer } from '../parity/servers.ts';
import { ask, setUpObject } from './ask.ts';
import { type Attack, type AttackClass, attackOfTries } from './attack.ts';
import { rotatedKeys } from './rotated-keys.ts';

const namespace = 'attack-tokens';
const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
const bits = { modulusLength: 2048 };

export const tokens: AttackClass = {
  name: 'forged tokens',
  sides: ['orch', 'reference'],
  accepted: [],
  async prepare({ side, server, undo }) {
    undo.push(async () => {
      await ask(server, 'DELETE', `/api/v1/namespaces/${namespace}`);
    });
    await setUpObject(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const answers = new Map<string, string>();
    const genuine = await issue(server, 'victim');
    const check = async ({ name, token, isValid = false }: Forged) => {
      const authenticated = await isAuthenticated(server, token);
      answers.set(name, authenticated);
      if (authenticated.includes('accepted') !== isValid) throw new Error(`${name}: ${authenticated}`);
    };
    const revoked: Attack = {
      name: 'tokens of deleted objects',
      count: 4,
      run: async () => {
        for (const each of await revokedTokens(server)) await check(each);
      },
    };
    return {
      target: server,
      answers,
      attacks: [
        attackOfTries('forged signatures and headers', forgedHeaders(server, genuine), check),
        attackOfTries('claims', forgedClaims(server, genuine), check),
        attackOfTries('encodings', forgedEncodings(genuine), check),
        revoked,
        ...rotatedKeys(side, server, answers),
      ],
    };
  },
};

interface Forged {
  readonly name: string;
  readonly token: string;
  readonly isValid?: boolean;
}

/** Creates the service account and requests a token. */
async function issue(server: Server, name: string, spec: object = {}): Promise<string> {
  await setUpObject(server, 'POST', accounts, { metadata: { name } });
  const { status } = await setUpObject(server, 'POST', `${accounts}/${name}/token`, { spec });
  return (status as { token: string }).token;
}

/** Tries the token as credentials, and in a TokenReview. */
async function isAuthenticated(server: Server, token: string): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1';
  const headers = { authorization: `Bearer ${token}` };
  const own = await ask({ ...server, token: '' }, 'POST', `${path}/selfsubjectreviews`, {
    headers,
    body: {},
  });
  const review = await ask(server, 'POST', `${path}/tokenreviews`, { body: { spec: { token } } });
  const { authenticated = false } = (review.json.status ?? {}) as { authenticated?: boolean };
  const reviewed =
    review.status === 201 ? `${authenticated ? 'accepted' : 'rejected'} by review` : review.status;
  return `${own.status === 201 ? 'accepted' : own.status}, ${reviewed}`;
}

type Fields = Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields;
const parts = (token: string) => {
  const [header, claims, signature = ''] = token.split('.');
  return { header: decode(header), claims: decode(claims), signature };
};

function signed(header: Fields, claims: unknown, key: KeyObject, digest = 'sha256'): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(digest, Buffer.from(text), key).toString('base64url')}`;
}

function forgedHeaders(server: StartedServer, genuine: string): Forged[] {
  const { header, claims, signature } = parts(genuine);
  const own = createPrivateKey(readFileSync(server.tokenKey));
  const publicKey = createPublicKey(own);
  const other = generateKeyPairSync('rsa', bits);
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hmac = (alg: string, secret: string | Buffer) => {
    const text = `${encode({ ...header, alg })}.${encode(claims)}`;
    return `${text}.${createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')}`;
  };
  const unsigned = (alg: unknown, end = '') => `${encode({ ...header, alg })}.${encode(claims)}.${end}`;
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const otherJwk = other.publicKey.export({ format: 'jwk' });
  const byOther = (fields: Fields) => signed({ ...header, ...fields }, claims, other.privateKey);
  const der = other.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const forged: Record<string, string> = {
    'another key': byOther({}),
    'another key without kid': byOther({ kid: undefined }),
    'another key and an unknown kid': byOther({ kid: 'unknown' }),
    'another key, embedded as jwk': byOther({ jwk: otherJwk }),
    'another key, embedded as jwk with this kid': byOther({ jwk: { ...otherJwk, kid: header.kid } }),
    'another key, embedded as x5c': byOther({ x5c: [der] }),
    'another key at a jku': byOther({ jku: 'https://127.0.0.1:1/keys' }),
    'another key at an x5u': byOther({ x5u: 'https://127.0.0.1:1/keys' }),
    'a kid that is a path': byOther({ kid: '../../../../dev/null' }),
    'a kid that is a query': byOther({ kid: "' OR 1=1 --" }),
    'a kid of Object.prototype': byOther({ kid: '__proto__' }),
    'a kid that is an object': byOther({ kid: {} }),
    'a kid that is a list': byOther({ kid: [header.kid] }),
    'a kid of 60 KB': byOther({ kid: 'k'.repeat(60_000) }),
    'an elliptic curve key': `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}.${sign('sha256', Buffer.from('x'), { key: curve.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
    'an ES256 signature of zeros': unsigned('ES256', Buffer.alloc(64).toString('base64url')),
    'alg none': unsigned('none'),
    'alg None': unsigned('None'),
    'alg NONE': unsigned('NONE'),
    'alg nOnE with a signature': unsigned('nOnE', signature),
    'alg none with a signature': unsigned('none', signature),
    'an empty alg': unsigned(''),
    'alg null': unsigned(null),
    'alg a list': unsigned(['RS256'], signature),
    'no alg': unsigned(undefined, signature),
    'no signature': unsigned('RS256'),
    'a signature of zeros': unsigned('RS256', Buffer.alloc(256).toString('base64url')),
    'a signature of one byte': unsigned('RS256', 'AA'),
    'HS256 with the public key': hmac('HS256', pem),
    'HS256 with the public key without its last line break': hmac('HS256', pem.trim()),
    'HS256 with the public key as DER': hmac('HS256', publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with the modulus': hmac('HS256', Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url')),
    'HS256 with an empty key': hmac('HS256', ''),
    'HS384 with the public key': hmac('HS384', pem),
    'HS512 with the public key': hmac('HS512', pem),
    'another signature': `${genuine.split('.').slice(0, 2).join('.')}.${byOther({}).split('.')[2]}`,
    'a critical extension': signed({ ...header, crit: ['exp'] }, claims, own),
    'an unknown critical extension': signed({ ...header, crit: ['x'], x: 1 }, claims, own),
    'b64 false': signed({ ...header, b64: false, crit: ['b64'] }, claims, own),
    compressed: signed({ ...header, zip: 'DEF' }, claims, other.privateKey),
    'RS384 with the server key, claimed as RS256': signed(header, claims, own, 'sha384'),
  };
  const valid: Record<string, string> = {
    'the genuine token': genuine,
    'signed with the server key': signed(header, claims, own),
    'signed with the server key, no kid': signed({ alg: 'RS256' }, claims, own),
  };
  return [...listed(forged, false), ...listed(valid, true)];
}

const listed = (tokens: Record<string, string>, isValid: boolean): Forged[] =>
  Object.entries(tokens).map(([name, token]) => ({ name, token, isValid }));

/** Claims that no server signs, signed with the server's own key: they must not be trusted blindly either. */
function forgedClaims(server: StartedServer, genuine: string): Forged[] {
  const { header, claims } = parts(genuine);
  const own = createPrivateKey(readFileSync(server.tokenKey));
  const now = Math.floor(Date.now() / 1000);
  const kubernetes = claims['kubernetes.io'] as Fields;
  const account = kubernetes.serviceaccount as Fields;
  const withAccount = (fields: Fields) => ({
    'kubernetes.io': { ...kubernetes, serviceaccount: { ...account, ...fields } },
  });
  const changes: Record<string, Fields> = {
    expired: { exp: now - 100 },
    'expired long ago': { exp: 1 },
    'expiry 0': { exp: 0 },
    'a negative expiry': { exp: -1 },
    'expiry as text': { exp: `${now + 100}` },
    'expiry null': { exp: null },
    'expiry as a list': { exp: [now + 100] },
    'no expiry': { exp: undefined },
    'not before tomorrow': { nbf: now + 86_400 },
    'not before as text': { nbf: 'x' },
    'issued tomorrow': { iat: now + 86_400 },
    'another issuer': { iss: 'https://evil.example.com' },
    'an issuer with a slash': { iss: `${claims.iss}/` },
    'an issuer in capitals': { iss: String(claims.iss).toUpperCase() },
    'an empty issuer': { iss: '' },
    'no issuer': { iss: undefined },
    'issuer as a list': { iss: [claims.iss] },
    'the legacy issuer': { iss: 'kubernetes/serviceaccount' },
    'another audience': { aud: ['https://evil.example.com'] },
    'an empty audience': { aud: [] },
    'no audience': { aud: undefined },
    'audience null': { aud: null },
    'audience as an object': { aud: {} },
    'an audience and a number': { aud: [claims.iss, 1] },
    'the audience in capitals': { aud: String(claims.aud).toUpperCase() },
    'another subject': { sub: 'system:serviceaccount:kube-system:admin' },
    'a subject of another kind': { sub: 'system:admin' },
    'no subject': { sub: undefined },
    'an unknown account': withAccount({ name: 'unknown' }),
    'another uid': withAccount({ uid: 'other' }),
    'no uid': withAccount({ uid: '' }),
    'a uid as a list': withAccount({ uid: [account.uid] }),
    'an account in another namespace': { 'kubernetes.io': { ...kubernetes, namespace: 'kube-system' } },
    'no namespace': { 'kubernetes.io': { ...kubernetes, namespace: '' } },
    'a namespace that is a path': { 'kubernetes.io': { ...kubernetes, namespace: `../${namespace}` } },
    'no private claims': { 'kubernetes.io': undefined },
    'private claims null': { 'kubernetes.io': null },
    'private claims as text': { 'kubernetes.io': 'x' },
    'an unknown pod': { 'kubernetes.io': { ...kubernetes, pod: { name: 'unknown', uid: 'x' } } },
    'an unknown secret': { 'kubernetes.io': { ...kubernetes, secret: { name: 'unknown', uid: 'x' } } },
    'an unknown node': { 'kubernetes.io': { ...kubernetes, node: { name: 'unknown', uid: 'x' } } },
  };
  const forged = Object.entries(changes).map(([name, fields]): [string, string] => [
    name,
    signed(header, { ...claims, ...fields }, own),
  ]);
  const raw = (text: string) => {
    const body = `${encode(header)}.${Buffer.from(text).toString('base64url')}`;
    return `${body}.${sign('sha256', Buffer.from(body), own).toString('base64url')}`;
  };
  const text = JSON.stringify(claims);
  const repeated = Object.entries({
    'a second, expired exp': `${text.slice(0, -1)},"exp":1}`,
    'a second issuer': `${text.slice(0, -1)},"iss":"https://evil.example.com"}`,
    'claims as a list': `[${text}]`,
    'claims as text': '"x"',
    'claims null': 'null',
    'no claims': '',
    'unfinished claims': text.slice(0, -1),
    'claims in 10,000 lists': '['.repeat(10_000),
    '__proto__ as a claim': `{"__proto__":${text}}`,
  }).map(([name, body]): [string, string] => [name, raw(body)]);
  return [...forged, ...repeated]
    .filter(([name]) => !trusted.includes(name))
    .map(([name, token]) => ({ name, token }))
    .concat(
      trusted.map((name) => ({ name, token: forged.find(([each]) => each === name)![1], isValid: true })),
    );
}

/** The holder of the server's key may issue these; no server checks the claims. */
const trusted = [
  'another subject',
  'a subject of another kind',
  'no subject',
  'expiry null',
  'no expiry',
  'no audience',
  'an empty audience',
];

function forgedEncodings(genuine: string): Forged[] {
  const [header = '', claims = '', signature = ''] = genuine.split('.');
  const standard = (part: string) => part.replaceAll('-', '+').replaceAll('_', '/');
  const padded = (part: string) => `${part}${'='.repeat((4 - (part.length % 4)) % 4)}`;
  const forged: Record<string, string> = {
    'a padded header': [`${header}=`, claims, signature].join('.'),
    'padded claims': [header, `${claims}=`, signature].join('.'),
    'a padded signature': [header, claims, `${signature}=`].join('.'),
    'all padded': [header, claims, signature].map((part) => `${padded(part)}==`).join('.'),
    'the standard alphabet': [header, claims, `${standard(signature).slice(0, -2)}+/`].join('.'),
    'two parts': [header, claims].join('.'),
    'four parts': [header, claims, signature, signature].join('.'),
    'five parts, as JWE': [header, '', claims, signature, ''].join('.'),
    'an empty header': ['', claims, signature].join('.'),
    'empty claims': [header, '', signature].join('.'),
    'only dots': '..',
    'a space inside': [header, ` ${claims}`, signature].join('.'),
    'a character more': `${genuine}A`,
    'a character less': genuine.slice(0, -1),
    'the last bits changed': `${genuine.slice(0, -1)}${genuine.endsWith('A') ? 'Q' : 'A'}`,
    'the parts in another order': [claims, header, signature].join('.'),
    'other claims with this signature': [header, encode({ sub: 'x' }), signature].join('.'),
    'JSON serialization': JSON.stringify({ payload: claims, protected: header, signature }),
    'a token of 60 KB': `${genuine}${'A'.repeat(60_000)}`,
    'a percent sign': `${header}%2e${claims}.${signature}`,
    reversed: [...genuine].reverse().join(''),
    'in capitals': genuine.toUpperCase(),
    null: 'null',
    undefined: 'undefined',
  };
  return listed(forged, false);
}

/** Tokens that were valid until their account, pod or secret was deleted, or replaced by one of the same name. */
async function revokedTokens(server: Server): Promise<Forged[]> {
  const core = `/api/v1/namespaces/${namespace}`;
  const deleted = await issue(server, 'deleted');
  await setUpObject(server, 'DELETE', `${accounts}/deleted`);
  const replaced = await issue(server, 'replaced');
  await setUpObject(server, 'DELETE', `${accounts}/replaced`);
  await setUpObject(server, 'POST', accounts, { metadata: { name: 'replaced' } });
  const secret = await setUpObject(server, 'POST', `${core}/secrets`, { metadata: { name: 'bound' } });
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: secret.metadata?.uid };
  const ofSecret = await issue(server, 'of-secret', { boundObjectRef });
  await setUpObject(server, 'DELETE', `${core}/secrets/bound`);
  const pod = await setUpObject(server, 'POST', `${core}/pods`, {
    metadata: { name: 'bound' },
    spec: {
      serviceAccountName: 'victim',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'i' }],
    },
  });
  const { status } = await setUpObject(server, 'POST', `${accounts}/victim/token`, {
    spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'bound', uid: pod.metadata?.uid } },
  });
  await setUpObject(server, 'DELETE', `${core}/pods/bound?gracePeriodSeconds=0`);
  return listed(
    {
      'of a deleted account': deleted,
      'of a replaced account': replaced,
      'of a deleted secret': ofSecret,
      'of a deleted pod': (status as { token: string }).token,
    },
    false,
  );
}
