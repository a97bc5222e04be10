import { ask, type JsonObject, post, subject } from '../case.ts';
import { paths } from './objects.ts';

const authorization = paths('/apis/authorization.k8s.io/v1');
const attributes = { resource: 'pods', verb: 'list', namespace: '{ns}' };
const asks = (more: JsonObject) =>
  post(authorization('subjectaccessreviews'), {
    spec: { user: 'u', resourceAttributes: { ...attributes, ...more } },
  });
const field = (fieldSelector: JsonObject) => asks({ fieldSelector });
const label = (labelSelector: JsonObject) => asks({ labelSelector });

const requirement = (key: string, operator: string, ...values: string[]) => ({
  key,
  operator,
  ...(values.length > 0 && { values }),
});
const requirements = (...list: JsonObject[]) => ({ requirements: list });
const text = (rawSelector: string) => ({ rawSelector });
const good = requirement('c', 'In', 'd');
const bad = requirement('a', 'Bad');
const long = 'x'.repeat(70);

/** Good or bad, for fields and labels alike. */
const selectors: JsonObject[] = [
  {},
  { requirements: [] },
  ...['', ' ', ',', 'a', '!a', 'a=b', 'a==b', 'a=b,', 'a=b,c!=d', '=b', 'a=x\\q', 'a=\\,', 'a=b=c'].map(text),
  ...['a in (b,c)', 'a in b', 'a>1', 'a>x', 'a b', '-a=b', 'metadata.name=x'].map(text),
  requirements(good),
  requirements(requirement('a', 'In')),
  requirements(requirement('a', 'In', 'b', 'c')),
  requirements(requirement('a', 'In', 'b', 'b')),
  requirements(requirement('a', 'In', '')),
  requirements(requirement('a', 'In', 'b=')),
  requirements(requirement('a', 'NotIn', 'b')),
  requirements(requirement('a', 'NotIn', 'b', 'c')),
  requirements(requirement('a', 'Exists')),
  requirements(requirement('a', 'Exists', 'b')),
  requirements(requirement('a', 'DoesNotExist')),
  requirements(requirement('a', 'Gt', '1')),
  requirements(requirement('a', '', 'b')),
  requirements(requirement('', 'In', 'b')),
  requirements(bad),
  requirements(bad, good),
  requirements(good, bad),
  requirements(bad, requirement('', 'In'), good),
  requirements(requirement(long, 'In', long), requirement('a/b/c', 'Exists')),
  { rawSelector: 'a=b', requirements: [good] },
];

export const reviewsSelectors = subject('reviews-selectors', [
  ask('fields', selectors.map(field)),
  ask('labels', selectors.map(label)),
  ask(
    'both, for any verb',
    ['list', 'watch', 'deletecollection', 'get', '*', ''].map((verb) =>
      asks({ verb, fieldSelector: text('x'), labelSelector: text('a b') }),
    ),
    asks({ fieldSelector: requirements(good, bad), labelSelector: requirements(bad, good) }),
  ),
  ask(
    'in the other reviews',
    [undefined, 'alice-token'].flatMap((token) =>
      [text('x'), requirements(good, bad), {}].map((fieldSelector) =>
        post(
          authorization('selfsubjectaccessreviews'),
          { spec: { resourceAttributes: { ...attributes, fieldSelector } } },
          token === undefined ? {} : { token },
        ),
      ),
    ),
    [text('x'), requirements(good, bad), {}].map((labelSelector) =>
      post(authorization('namespaces/{ns}/localsubjectaccessreviews'), {
        spec: { user: 'u', resourceAttributes: { ...attributes, labelSelector } },
      }),
    ),
    post(authorization('subjectaccessreviews'), {
      spec: {
        user: 'u',
        groups: ['system:masters'],
        resourceAttributes: { ...attributes, fieldSelector: text('x') },
      },
    }),
    post(authorization('subjectaccessreviews'), {
      spec: {
        user: 'u',
        nonResourceAttributes: { path: '/x', verb: 'get' },
        resourceAttributes: { ...attributes, fieldSelector: {} },
      },
    }),
  ),
]);
