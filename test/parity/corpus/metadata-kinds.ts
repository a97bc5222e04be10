/** Metadata that is not valid, of every built-in kind: each strategy validates it in its own way, and reports some errors twice. */
import { builtinKinds } from '../../../src/apis/index.ts';
import { kubernetes } from '../../../src/dialect/index.ts';
import { everyFeature } from '../../../src/kind/features/everything.fixture.ts';
import { minimalObjects } from '../../support/minimal-objects.ts';
import { ask, type Case, del, type JsonObject, post, send, subject } from '../case.ts';
import { paths } from './objects.ts';

const invalidMetadata: JsonObject[] = [
  { finalizers: ['x', 'a b'] },
  { finalizers: ['orphan', 'foregroundDeletion'] },
  { generateName: 'A b' },
  { generateName: 'a/b' },
  { labels: { a: 'a b' } },
  { generation: -1, deletionGracePeriodSeconds: -1 },
  { ownerReferences: [{ apiVersion: 'v1', kind: '', name: 'x', uid: 'y' }] },
];
const names = ['A b', 'Ab', 'A_b', '..a', '', 'a.b', 'a:b', 'a/b', 'a%b', 'a'.repeat(64), 'a'.repeat(254)];

/** A CustomResourceDefinition registers the APIService that is a case of its own. */
const left = new Set(['customresourcedefinitions']);

/** Creates and patches of one kind; only names and metadata differ from a valid object. */
function caseOf(definition: ReturnType<typeof builtinKinds>[number]): Case[] {
  const { group, version, plural, namespaced, subresources = {} } = definition;
  const minimal = minimalObjects[`${group} ${plural}`];
  if (!minimal || left.has(plural)) return [];
  const root = group === '' ? `/api/${version}` : `/apis/${kubernetes.groupName(group)}/${version}`;
  const at = paths(`${root}${namespaced ? '/namespaces/{ns}' : ''}/${plural}`);
  const text = JSON.stringify(minimal.body).replaceAll('DOMAIN', 'k8s.io');
  const body = JSON.parse(text.replaceAll('"namespace":"default"', '"namespace":"{ns}"')) as JsonObject;
  // Orch does not count the default of timeAdded, the time of the request, among the fields of the client.
  if (plural === 'devicetaintrules')
    ((body.spec as JsonObject).taint as JsonObject).timeAdded = '2030-01-02T03:04:05Z';
  const withMetadata = (metadata: JsonObject) => ({ ...body, metadata });
  const name = minimal.name ?? '{name}';
  const written = ['', ...['status', 'approval'].filter((part) => part in subresources)];
  return [
    ask(
      `${plural} of ${root}`,
      post(at(), withMetadata({ name })),
      invalidMetadata.map((metadata) =>
        post(at('?dryRun=All'), withMetadata({ name: minimal.name ?? '{other}', ...metadata })),
      ),
      names.map((other) => post(at('?dryRun=All'), withMetadata({ name: other }))),
      names.map((generateName) => post(at('?dryRun=All'), withMetadata({ name, generateName }))),
      written.flatMap((part) =>
        invalidMetadata.map((metadata) =>
          send(
            'PATCH',
            `${at(name)}${part && `/${part}`}?dryRun=All`,
            { metadata },
            { headers: { 'content-type': 'application/merge-patch+json' } },
          ),
        ),
      ),
      namespaced ? [] : del(at(name)),
    ),
  ];
}

export const metadataKinds = subject(
  'metadata-kinds',
  builtinKinds({ dialect: kubernetes, features: everyFeature })
    .filter(
      ({ group, plural }, index, all) =>
        all.findIndex((other) => other.group === group && other.plural === plural) === index,
    )
    .flatMap(caseOf),
  { alone: true },
);
