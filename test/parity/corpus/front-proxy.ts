import { ask, get, post, type Step, subject, watch } from '../case.ts';
import type { Shown } from '../certificates.ts';
import { configmaps } from './objects.ts';

type Headers = Record<string, string | string[]>;

const front: Shown = { names: ['front'], ofProxy: true };
const rogue: Shown = { names: ['rogue'], ofProxy: true };
const hour = 3600;

const says = (headers: Headers, certificate: Shown | undefined = front, token?: string | null): Step =>
  post(
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    {},
    { headers, ...(certificate && { certificate }), ...(token !== undefined && { token }) },
  );
const user = (name: string, more: Headers = {}): Headers => ({ 'x-remote-user': name, ...more });
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

export const frontProxy = subject(
  'front-proxy',
  [
    ask(
      'a proxy says whom it speaks for',
      says(user('carol')),
      says({ 'x-user': 'dave' }),
      says({ 'x-remote-user': '', 'x-user': 'dave' }),
      says(user('carol', { 'x-user': 'dave' })),
      says({ 'x-remote-user': ['carol', 'dave'] }),
      says({ 'X-REMOTE-USER': 'Carol C.' }),
      says(user(utf8('çarol'))),
      says(user('system:anonymous')),
      says(user('system:serviceaccount:a:b')),
      says(user('bob', { 'x-remote-group': 'system:masters' })),
    ),
    ask(
      'groups, uid and more',
      says(user('carol', { 'x-remote-group': 'a' })),
      says(user('carol', { 'x-remote-group': ['a', 'b,c', '', 'a'] })),
      says(user('carol', { 'x-group': 'd', 'x-remote-group': 'a' })),
      says(user('carol', { 'x-remote-group': 'system:authenticated' })),
      says(user('carol', { 'x-remote-group': 'system:unauthenticated' })),
      says(user('carol', { 'x-remote-uid': '7' })),
      says(user('carol', { 'x-remote-uid': ['7', '8'] })),
      says(user('carol', { 'x-remote-uid': '' })),
      says(user('carol', { 'x-remote-extra-a': 'x' })),
      says(user('carol', { 'x-remote-extra-a': ['x', 'y'], 'x-extra-b': 'z' })),
      says(user('carol', { 'X-Remote-Extra-Acme.com%2fScope': 'x' })),
      says(user('carol', { 'x-remote-extra-a%zz': 'x' })),
      says(user('carol', { 'x-remote-extra-a': '' })),
      says(user('carol', { 'x-remote-extra-': 'x' })),
      says(user('carol', { 'x-remote-extra-__proto__': 'x' })),
      says({ 'x-remote-group': 'system:masters', 'x-remote-uid': '7' }),
    ),
    ask(
      'who is no proxy says nothing',
      says({}),
      says({}, rogue),
      says(user('carol'), rogue),
      says(user('carol'), { names: ['other'], ofProxy: true }),
      says(user('carol'), { names: ['front'] }),
      says(user('carol'), { names: ['bob'], groups: ['dev'] }),
      says(user('carol'), { names: ['front'], foreign: true }),
      says(user('carol'), { names: ['front'], ofProxy: true, valid: [-2 * hour, -hour] }),
      says(user('carol'), { names: ['front'], ofProxy: true, forServers: true }),
      says(user('carol'), { ofProxy: true }),
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { headers: user('carol'), token: null }),
      post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { headers: user('carol') }),
    ),
    ask(
      'a proxy and a token',
      says(user('carol'), front, 'alice-token'),
      says(user('carol'), front, 'nope'),
      says({}, front, 'alice-token'),
      says({}, front, 'nope'),
      says(user('carol'), rogue, 'alice-token'),
      says(user('carol'), rogue, 'nope'),
    ),
    ask(
      'whom it speaks for may be taken for somebody else',
      says(user('carol', { 'x-remote-group': 'system:masters', 'impersonate-user': 'eve' })),
      says(user('carol', { 'impersonate-user': 'eve' })),
    ),
    ask(
      'they may do what they may do',
      get(configmaps(), { certificate: front, headers: user('carol') }),
      get(configmaps(), {
        certificate: front,
        headers: user('carol', { 'x-remote-group': 'system:masters' }),
      }),
      get('/healthz', { certificate: rogue, headers: user('carol') }),
      get('/healthz', { certificate: front }),
      watch(configmaps('?watch=true'), {}, { certificate: front, headers: user('carol') }),
      watch(configmaps('?watch=true'), { over: 'websocket' }, { certificate: rogue, headers: user('carol') }),
    ),
  ],
  { proxied: true },
);
