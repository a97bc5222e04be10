import {
  certificatePem,
  malformedCertificates,
} from '../../../src/pki/x509/malformed-certificates.fixture.ts';
import { ask, changed, get, post, put, subject } from '../case.ts';
import { object, secrets } from './objects.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const typed = (type: string, data: Record<string, string> = {}, metadata = {}) =>
  object('a', { type, data }, metadata);
const tryOut = (body: ReturnType<typeof typed>) => post(secrets('?dryRun=All'), body);
const certificate = base64('-----BEGIN CERTIFICATE-----\nnot really\n-----END CERTIFICATE-----\n');

const privateKey = base64('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');

export const secretTypes = subject('secrets', [
  ask(
    'stringData becomes data, and is not shown',
    post(
      secrets(),
      object('a', {
        data: { k: base64('from data'), only: base64('here') },
        stringData: { k: 'from stringData', more: 'ä' },
      }),
      { as: 'a' },
    ),
    get(secrets('a')),
    put(secrets('a'), changed('a', { stringData: { k: 'replaced' } })),
    put(secrets('a'), object('a', { stringData: { fresh: 'start' } })),
    put(secrets('a'), object('a', { stringData: { fresh: 'start' } })),
    post(secrets(), object('b', { stringData: {}, data: null })),
    post(secrets(), object('c', { stringData: { 'b b': 'x' } })),
  ),
  ask(
    'the type is Opaque unless said, and fixed',
    post(secrets(), object('a'), { as: 'a' }),
    put(secrets('a'), changed('a', { type: 'example.com/other' })),
    put(secrets('a'), changed('a', { type: '' })),
    post(secrets(), object('b', { type: '' })),
    post(secrets(), object('c', { type: 'any text is a type' })),
  ),
  ask(
    'keys have a syntax',
    ['', '.', '..', 'a b', 'ä', 'x'.repeat(254)].map((key) => tryOut(typed('Opaque', { [key]: '' }))),
  ),
  ask(
    'kubernetes.io/basic-auth needs a username or a password',
    tryOut(typed('kubernetes.io/basic-auth')),
    tryOut(typed('kubernetes.io/basic-auth', { username: base64('u') })),
    tryOut(typed('kubernetes.io/basic-auth', { password: '' })),
  ),
  ask(
    'kubernetes.io/ssh-auth needs a key',
    tryOut(typed('kubernetes.io/ssh-auth')),
    tryOut(typed('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' })),
    tryOut(typed('kubernetes.io/ssh-auth', { 'ssh-privatekey': base64('k') })),
  ),
  ask(
    'kubernetes.io/tls needs both halves',
    tryOut(typed('kubernetes.io/tls')),
    tryOut(typed('kubernetes.io/tls', { 'tls.crt': certificate })),
    tryOut(typed('kubernetes.io/tls', { 'tls.key': '' })),
    tryOut(typed('kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' })),
    tryOut(typed('kubernetes.io/tls', { 'tls.crt': certificate, 'tls.key': base64('x') })),
  ),
  ask(
    'kubernetes.io/tls warns of a damaged certificate',
    Object.values(malformedCertificates).map(([der]) =>
      tryOut(typed('kubernetes.io/tls', { 'tls.crt': base64(certificatePem(der)), 'tls.key': privateKey })),
    ),
  ),
  ask(
    'kubernetes.io/dockercfg and dockerconfigjson hold JSON',
    tryOut(typed('kubernetes.io/dockercfg')),
    tryOut(typed('kubernetes.io/dockercfg', { '.dockercfg': base64('{') })),
    tryOut(typed('kubernetes.io/dockercfg', { '.dockercfg': base64('[]') })),
    tryOut(typed('kubernetes.io/dockercfg', { '.dockercfg': base64('{"a":1}') })),
    tryOut(typed('kubernetes.io/dockerconfigjson')),
    tryOut(typed('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '' })),
    tryOut(typed('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('nope') })),
    tryOut(typed('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('{"auths":{}}') })),
  ),
  ask(
    'kubernetes.io/service-account-token names its account',
    tryOut(typed('kubernetes.io/service-account-token')),
    tryOut(
      typed(
        'kubernetes.io/service-account-token',
        {},
        { annotations: { 'kubernetes.io/service-account.name': '' } },
      ),
    ),
  ),
  ask(
    'bootstrap.kubernetes.io/token is not looked into',
    tryOut(typed('bootstrap.kubernetes.io/token')),
    tryOut(typed('helm.sh/release.v1')),
  ),
  ask(
    'more than 1 MiB is refused',
    tryOut(typed('Opaque', { a: base64('x'.repeat(1024 * 1024 + 1)) })),
    tryOut(typed('Opaque', { a: base64('x'.repeat(1024 * 512)), b: base64('x'.repeat(1024 * 512 + 1)) })),
    tryOut(object('a', { stringData: { a: 'x'.repeat(1024 * 1024 + 1) } })),
  ),
  ask(
    'an immutable one keeps its data',
    post(secrets(), object('a', { data: { k: base64('v') }, immutable: true }), { as: 'a' }),
    put(secrets('a'), changed('a', { data: {} })),
    put(secrets('a'), changed('a', { stringData: { k: 'changed' } })),
    put(secrets('a'), changed('a', { stringData: { k: 'v' } })),
    put(secrets('a'), changed('a', { immutable: false })),
    put(
      secrets('a'),
      object('a', { data: { k: base64('v') }, immutable: true }, { labels: { may: 'change' } }),
    ),
  ),
  ask(
    'an update of a typed one is checked too',
    post(secrets(), typed('kubernetes.io/basic-auth', { username: base64('u') }), { as: 'a' }),
    put(secrets('a'), changed('a', { data: {} })),
    put(
      secrets('a'),
      object('a', { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': base64('k') } }),
    ),
    put(secrets('a'), object('a', { data: { username: base64('u') } })),
  ),
]);
