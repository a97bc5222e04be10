import {
  certificatePem,
  goodCertificate,
  malformedCertificates,
} from '../../../src/pki/x509/malformed-certificates.fixture.ts';
import { ask, del, get, type Json, type JsonObject, post, type Step, send, subject } from '../case.ts';
import { anything, version } from './custom-foos.ts';
import { object } from './objects.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const key = 'api-approved.kubernetes.io';

const approved = (approval: string | undefined, group: string): JsonObject =>
  object(`foos.${group}`, {
    metadata: { name: `foos.${group}`, ...(approval !== undefined && { annotations: { [key]: approval } }) },
    spec: { group, scope: 'Cluster', names: { plural: 'foos', kind: 'Foo' }, versions: [version(anything)] },
  });

interface Condition extends JsonObject {
  type: string;
}

const conditionsIn = ({ status }: JsonObject) =>
  ((status as JsonObject | undefined)?.conditions ?? []) as Condition[];

/** Controllers of the reference come to them in any order. */
const inOrder = (body: JsonObject): Json =>
  [...conditionsIn(body)].sort((one, other) => (one.type < other.type ? -1 : 1));

const settled =
  (count: number) =>
  (body: JsonObject): boolean =>
    conditionsIn(body).length === count &&
    conditionsIn(body).every(({ type, status }) => type !== 'Established' || status === 'True');

const annotate = (path: string, approval: Json): Step =>
  send(
    'PATCH',
    path,
    { metadata: { annotations: { [key]: approval } } },
    {
      headers: { 'content-type': 'application/merge-patch+json' },
      pick: (body) => (body.kind === 'Status' ? body : 'changed'),
    },
  );

/** What is said of a kind in a group of the service's own. */
const approvals = (group: string, ...said: string[]): Step[] => {
  const path = `${definitions}/foos.${group}`;
  return said.flatMap((approval) => [
    post(definitions, approved(approval, group), {
      pick: ({ code, message }) => (code && message ? message : 'made'),
    }),
    get(path, { until: settled(3), pick: inOrder }),
    annotate(path, 'https://example.com/other'),
    get(path, {
      until: (body) => JSON.stringify(body.status).includes('approved in https://example.com/other'),
      pick: inOrder,
    }),
    annotate(path, 'nonsense'),
    annotate(path, null),
    annotate(path, 'unapproved, after all'),
    get(path, { until: (body) => JSON.stringify(body.status).includes('not approved'), pick: inOrder }),
    del(path, undefined, { pick: () => 'deleted' }),
    get(path, { until: ({ code }) => code === 404, pick: () => 'gone' }),
  ]);
};

const names = (plural: string, kind: string, more: JsonObject = {}): JsonObject =>
  object(`${plural}.{name}.example.com`, {
    spec: {
      ...{ group: '{name}.example.com', scope: 'Cluster', versions: [version(anything)] },
      names: { plural, kind, ...more },
    },
  });

const base64 = (text: string) => Buffer.from(text).toString('base64');
const month99 = malformedCertificates['month 99']![0];
const damaged = base64(certificatePem(month99));
const converting = (caBundle: string): JsonObject => {
  const made = names('foos', 'Foo');
  const clientConfig = { url: 'https://127.0.0.1:1/', caBundle };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
  return { ...made, spec: { ...(made.spec as JsonObject), conversion: { strategy: 'Webhook', webhook } } };
};
const bundle = (caBundle: string | null): Step =>
  send(
    'PATCH',
    whole('foos'),
    { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } },
    {
      headers: { 'content-type': 'application/merge-patch+json' },
      pick: (body) => (body.kind === 'Status' ? body : 'changed'),
    },
  );

const whole = (plural: string) => `${definitions}/${plural}.{name}.example.com`;
const isSettled = (body: JsonObject) => conditionsIn(body).some(({ type }) => type === 'NamesAccepted');
const shown = ({ status }: JsonObject): Json => ({
  names: (status as JsonObject).acceptedNames ?? null,
  conditions: inOrder({ status: status ?? null }),
});

export const crdConditions = subject('crd-conditions', [
  ask('approved', approvals('{name}.k8s.io', 'https://example.com/pull/1', 'unapproved, a try')),
  ask('approved in the other domain', approvals('{name}.kubernetes.io', 'http://x/y')),
  ask(
    'approvals that are none',
    ...[undefined, '', 'x', 'https://', 'https:/x', '/x', 'Unapproved'].map((approval) =>
      post(definitions, approved(approval, '{name}.k8s.io')),
    ),
    post(definitions, approved('x', '{name}k8s.io'), { pick: () => 'not protected' }),
    get(`${definitions}/foos.{name}k8s.io`, { until: settled(2), pick: inOrder }),
  ),
  ask(
    'names that others have',
    post(definitions, names('foos', 'Foo', { shortNames: ['f'] }), { pick: () => 'made' }),
    get(whole('foos'), { until: settled(2), pick: shown }),
    ...[
      names('bars', 'Foo'),
      names('bazs', 'Baz', { shortNames: ['f', 'z'] }),
      names('quxs', 'Qux', { singular: 'foo' }),
      names('fs', 'Fs', { listKind: 'FooList' }),
      names('f', 'F'),
      names('all', 'All', { singular: 'foo', shortNames: ['foos', 'f'], listKind: 'Foo' }),
    ].flatMap((definition) => {
      const { plural = '' } = ((definition.spec as JsonObject).names ?? {}) as JsonObject;
      return [
        post(definitions, definition, { pick: () => 'made' }),
        get(whole(String(plural)), { until: isSettled, pick: shown, after: 1 }),
      ];
    }),
  ),
  ask(
    'a damaged caBundle of a conversion webhook',
    post(definitions, converting(damaged), { pick: () => 'made' }),
    get(whole('foos'), {
      until: (body) => JSON.stringify(body.status).includes('InvalidCABundle'),
      pick: shown,
    }),
    bundle('YWJj'),
    bundle(base64(certificatePem(goodCertificate))),
    get(whole('foos'), {
      until: (body) => JSON.stringify(body.status).includes('InitialNamesAccepted'),
      pick: shown,
    }),
    bundle(damaged),
    bundle('YWJj'),
    bundle(base64(certificatePem(goodCertificate) + certificatePem(month99))),
    bundle(null),
  ),
  ask(
    'a name that is free again',
    post(definitions, names('foos', 'Foo'), { pick: () => 'made' }),
    get(whole('foos'), { until: settled(2), pick: shown }),
    post(definitions, names('bars', 'Foo'), { pick: () => 'made' }),
    get(whole('bars'), { until: isSettled, pick: shown, after: 1 }),
    del(whole('foos'), undefined, { pick: () => 'deleted' }),
    get(whole('bars'), { until: settled(2), pick: shown }),
  ),
]);
