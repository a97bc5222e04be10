import { ask, del, get, type JsonObject, post, put, type Step, send, subject } from '../case.ts';
import { authority, otherAuthority, signingRequest } from './certificates-data.ts';
import { withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';

const roles = paths('/apis/rbac.authorization.k8s.io/v1/clusterroles');
const bindings = paths('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings');
const requests = paths('/apis/certificates.k8s.io/v1/certificatesigningrequests');
const bundles = paths('/apis/certificates.k8s.io/v1beta1/clustertrustbundles');

const group = ['certificates.k8s.io'];
const mayWrite = {
  apiGroups: group,
  resources: [
    'certificatesigningrequests',
    'certificatesigningrequests/approval',
    'certificatesigningrequests/status',
    'clustertrustbundles',
  ],
  verbs: ['*'],
};
const signers = (resourceNames: string[], ...verbs: string[]) => ({
  apiGroups: group,
  resources: ['signers'],
  verbs,
  ...(resourceNames.length > 0 && { resourceNames }),
});

const user = 'user-{name}';
const asUser = { headers: { 'Impersonate-User': user } };

/** Gives the case's own user these rights. The server takes a moment to hear of them. */
const granting = (...rules: JsonObject[]): Step[] => [
  post(roles(), object('{name}', { rules: [mayWrite, ...rules] })),
  post(
    bindings(),
    object('{name}', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '{name}' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    }),
  ),
  get(roles('{name}'), { after: 1 }),
];
const undone = [del(bindings('{name}')), del(roles('{name}'))];

/** What who may write has beyond that, about signers. */
const rights: Readonly<Record<string, JsonObject[]>> = {
  'may do nothing for signers': [],
  'may do all for one signer': [signers(['example.com/signer'], '*')],
  'may do all for another signer': [signers(['example.com/other'], '*')],
  'may do all for a domain': [signers(['example.com/*'], 'attest', 'approve', 'sign')],
  'may do all for another domain': [signers(['other.com/*'], 'attest', 'approve', 'sign')],
  'may do all for all signers': [signers([], '*')],
  'may approve': [signers(['example.com/signer'], 'approve')],
  'may sign': [signers(['example.com/signer'], 'sign')],
  'may attest': [signers(['example.com/signer'], 'attest')],
};

const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
const certificate = Buffer.from(authority).toString('base64');
const request = object('{other}', {
  spec: { request: signingRequest, signerName: 'example.com/signer', usages: ['client auth'] },
});
const write = (part: string, status: JsonObject) =>
  put(requests(`{other}/${part}?dryRun=All`), withChange('a', { status }), asUser);
const merge = { ...asUser.headers, 'Content-Type': 'application/merge-patch+json' };

const bundle = (name: string, signerName: string | undefined, trustBundle = authority) =>
  object(name, { spec: { trustBundle, ...(signerName !== undefined && { signerName }) } });
const signed = 'example.com:signer:{other}';
const change = (name: string, changes: JsonObject) =>
  send('PATCH', bundles(`${name}?dryRun=All`), changes, { headers: merge });
const apply = (name: string, intent: JsonObject) =>
  send(
    'PATCH',
    bundles(`${name}?dryRun=All&fieldManager=m&force=true`),
    { apiVersion: 'certificates.k8s.io/v1beta1', kind: 'ClusterTrustBundle', ...intent },
    { headers: { ...asUser.headers, 'Content-Type': 'application/apply-patch+yaml' } },
  );

export const signerRights = subject('signers', [
  ...Object.entries(rights).flatMap(([who, rules]) => [
    ask(
      `requests, for who ${who}`,
      granting(...rules),
      post(requests(), request, { ...asUser, as: 'a' }),
      write('approval', { conditions: [approved] }),
      write('approval', { conditions: [{ type: 'Denied', status: 'True' }] }),
      write('approval', {}),
      write('approval', { conditions: [{ ...approved, status: 'False' }] }),
      write('status', { certificate }),
      write('status', { conditions: [{ type: 'Failed', status: 'True' }] }),
      write('status', { conditions: [{ type: 'Other', status: 'True' }] }),
      write('status', { certificate: 'eA==' }),
      write('status', {}),
      put(
        requests('{other}/approval?dryRun=All'),
        withChange('a', {
          spec: { signerName: 'example.com/other' },
          status: { conditions: [approved] },
        }),
        asUser,
      ),
      send(
        'PATCH',
        requests('{other}/approval?dryRun=All'),
        { status: { conditions: [approved] } },
        { headers: merge },
      ),
      send(
        'PATCH',
        requests('{other}/status?dryRun=All'),
        { metadata: { labels: { a: 'b' } } },
        { headers: merge },
      ),
      del(requests('{other}')),
      undone,
    ),
    ask(
      `bundles, for who ${who}`,
      granting(...rules),
      post(bundles(), bundle(signed, 'example.com/signer')),
      post(bundles(), bundle('{other}', undefined)),
      post(bundles('?dryRun=All'), bundle('{other}-a', undefined), asUser),
      post(bundles('?dryRun=All'), bundle(`${signed}-a`, 'example.com/signer'), asUser),
      post(bundles('?dryRun=All'), bundle('example.com:other:{other}', 'example.com/other'), asUser),
      post(bundles('?dryRun=All'), bundle('{other}-a', 'example.com/signer'), asUser),
      change(signed, { spec: { trustBundle: otherAuthority } }),
      change(signed, { metadata: { labels: { a: 'b' } } }),
      change(signed, { metadata: { finalizers: ['example.com/a'] } }),
      change(signed, {}),
      change(signed, { spec: { signerName: null } }),
      apply(signed, bundle(signed, 'example.com/signer', otherAuthority)),
      apply(`${signed}-b`, bundle(`${signed}-b`, 'example.com/signer')),
      apply('{other}-b', bundle('{other}-b', undefined)),
      change('{other}', { metadata: { labels: { a: 'b' } } }),
      change('{other}', { spec: { signerName: 'example.com/signer' } }),
      get(bundles(signed), asUser),
      del(bundles(`${signed}?dryRun=All`), undefined, asUser),
      del(bundles(signed)),
      del(bundles('{other}')),
      undone,
    ),
  ]),
  ask(
    'who may not even write',
    post(requests(), request),
    ['approval', 'status'].flatMap((part) => [
      put(requests(`{other}/${part}`), request, asUser),
      get(requests(`{other}/${part}`), asUser),
    ]),
    post(bundles(), bundle('{other}', undefined), asUser),
    get(bundles('{other}'), asUser),
    get(bundles('{other}'), { headers: { 'Impersonate-User': 'system:serviceaccount:{ns}:{name}' } }),
    get(bundles('{other}'), { headers: { 'Impersonate-User': 'system:anonymous' } }),
    del(requests('{other}')),
  ),
  ask(
    'username and groups are those of the caller',
    granting(),
    post(requests('?dryRun=All'), request, {
      headers: {
        'Impersonate-User': user,
        'Impersonate-Group': 'system:authenticated',
        'Impersonate-Uid': 'uid-1',
        'Impersonate-Extra-Colour': 'red',
      },
    }),
    post(
      requests('?dryRun=All'),
      {
        ...request,
        spec: {
          ...(request.spec as JsonObject),
          username: 'x',
          groups: ['y'],
          uid: 'z',
          extra: { a: ['b'] },
        },
      },
      asUser,
    ),
    undone,
  ),
]);
