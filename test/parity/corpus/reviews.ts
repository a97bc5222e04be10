import { ask, get, type JsonObject, post, subject } from '../case.ts';
import { paths } from './objects.ts';

const authentication = (resource: string) => paths(`/apis/authentication.k8s.io/v1/${resource}`)();
const authorization = (resource: string) => paths(`/apis/authorization.k8s.io/v1/${resource}`)();

const resourceAttributes = { resource: 'pods', verb: 'get', namespace: 'default' };
const nonResourceAttributes = { path: '/healthz', verb: 'get' };
const alice = { token: 'alice-token' };
const asked = (...specs: JsonObject[]) => specs.map((spec) => ({ spec }));

/** The audience is the server's own, which differs. */
const withoutAudience = (body: JsonObject) => {
  const { audiences: _, ...status } = (body.status ?? {}) as JsonObject;
  return { ...body, status };
};

export const reviews = subject('reviews', [
  ask(
    'who am I',
    post(authentication('selfsubjectreviews'), {}),
    post(authentication('selfsubjectreviews'), {}, alice),
    post(authentication('selfsubjectreviews'), { metadata: { name: 'x' } }),
    post(authentication('selfsubjectreviews'), { status: { userInfo: { username: 'z' } } }),
    post(authentication('selfsubjectreviews'), {}, { token: null }),
    get(authentication('selfsubjectreviews')),
  ),
  ask(
    'very many elements',
    post(authentication('selfsubjectreviews'), { metadata: { finalizers: Array(9_000).fill('a') } }),
    post(authentication('selfsubjectreviews'), { metadata: { finalizers: Array(30_000).fill('a') } }),
    post(authentication('selfsubjectreviews'), { metadata: { annotations: { a: 'x'.repeat(300_000) } } }),
  ),
  ask(
    'whose is this token',
    asked(
      {},
      { token: 'bad' },
      { token: 'admin-token' },
      { token: 'alice-token' },
      { token: 'admin-token', audiences: ['x'] },
    ).map((review) => post(authentication('tokenreviews'), review, { pick: withoutAudience })),
    post(authentication('tokenreviews'), { metadata: { name: 'x' }, spec: { token: 'bad' } }),
    post(authentication('tokenreviews'), { spec: { token: 'admin-token' } }, alice),
  ),
  ask(
    'may they',
    asked(
      {},
      { user: 'u' },
      { user: 'admin', groups: ['system:masters'], resourceAttributes },
      { user: 'u', resourceAttributes },
      { groups: ['g'], resourceAttributes },
      { resourceAttributes },
      { user: 'u', resourceAttributes, nonResourceAttributes },
      { user: 'u', groups: ['system:masters'], nonResourceAttributes },
      {
        user: 'u',
        resourceAttributes: {
          ...resourceAttributes,
          fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          labelSelector: {},
        },
      },
    ).map((review) => post(authorization('subjectaccessreviews'), review)),
    post(authorization('subjectaccessreviews'), asked({ user: 'u', resourceAttributes })[0]!, alice),
  ),
  ask(
    'may I',
    asked({}, { resourceAttributes }, { nonResourceAttributes: { path: '/x', verb: 'get' } }).flatMap(
      (review) => [
        post(authorization('selfsubjectaccessreviews'), review),
        post(authorization('selfsubjectaccessreviews'), review, alice),
      ],
    ),
  ),
  ask(
    'may they, here',
    asked(
      {},
      { user: 'u', resourceAttributes: { ...resourceAttributes, namespace: '{ns}' } },
      { user: 'u', resourceAttributes },
      { user: 'u', nonResourceAttributes },
    ).map((review) => post(authorization('namespaces/{ns}/localsubjectaccessreviews'), review)),
    post(authorization('namespaces/{ns}/localsubjectaccessreviews'), { metadata: { namespace: 'other' } }),
  ),
  ask(
    'what may I',
    post(authorization('selfsubjectrulesreviews'), {}),
    post(authorization('selfsubjectrulesreviews'), {}, alice),
  ),
]);
