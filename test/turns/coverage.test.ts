// The generator of `npm run test:turns` covers every resource, subresource, verb and format that discovery lists. Measures nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devDefaults } from '../../src/cli/server-options.ts';
import { testServer } from '../support/client.ts';
import { formats } from './bodies.ts';
import { casesOf, createCase, deleteCase } from './cases.ts';
import { customDefinition, customPlurals } from './custom-resources.ts';
import { fillings, fillPlace } from './fill-field.ts';
import { placesOf } from './places.ts';
import { allSubjects, type Subject } from './subjects.ts';

const server = testServer({
  runtimeConfig: devDefaults.runtimeConfig,
  featureGates: devDefaults.featureGates,
});
const subjects = allSubjects();
const builtIn = subjects.filter(({ schema }) => schema !== undefined);

interface DiscoveredResource {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** `pods`, `pods/status`, `deployments.apps/v1`, with its verbs. */
async function discovered(): Promise<Map<string, readonly string[]>> {
  const { groups } = (await server.get('/apis')).body as unknown as {
    groups: { versions: { groupVersion: string }[] }[];
  };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const found = new Map<string, readonly string[]>();
  for (const version of ['v1', ...versions]) {
    const { body } = await server.get(version === 'v1' ? '/api/v1' : `/apis/${version}`);
    for (const { name, verbs } of body.resources as DiscoveredResource[]) {
      const [plural, subresource = ''] = name.split('/');
      const id = version === 'v1' ? plural! : `${plural}.${version}`;
      found.set(`${id}/${subresource}`, verbs);
    }
  }
  return found;
}

const allCases = (subject: Subject) => [
  ...casesOf(subject),
  createCase(subject),
  deleteCase(subject, 'delete'),
  deleteCase(subject, 'deletecollection'),
];

test('every resource, subresource and verb of discovery has cases', async () => {
  const covered = new Set(
    builtIn.flatMap((subject) =>
      allCases(subject).map((each) => `${subject.id}/${each.subresource} ${each.discoveryVerb}`),
    ),
  );
  const missing = [...(await discovered())].flatMap(([id, verbs]) =>
    verbs.map((verb) => `${id} ${verb}`).filter((each) => !covered.has(each)),
  );
  assert.deepEqual(missing, []);
  assert.equal(builtIn.length, 88);
});

test('every verb is sent or answered in every format', () => {
  for (const subject of builtIn) {
    for (const verb of subject.verbs) {
      const cases = casesOf(subject).filter((each) => each.subresource === '' && each.discoveryVerb === verb);
      const covered = new Set(cases.map(({ format }) => format.split(' ')[0]!));
      const expected = expectedFormats(verb);
      assert.deepEqual(
        expected.filter((format) => !covered.has(format)),
        [],
        `${subject.id} ${verb}`,
      );
    }
  }
});

/** YAML has no streams; patches are JSON, or configurations in YAML or CBOR. */
function expectedFormats(verb: string): readonly string[] {
  if (verb === 'watch') return formats.filter((format) => format !== 'yaml');
  return verb === 'patch' ? ['json', 'yaml', 'cbor'] : formats;
}

test('the custom resources are served', async () => {
  for (const plural of customPlurals) {
    const { code, text } = await server.post(
      '/apis/apiextensions.orch.io/v1/customresourcedefinitions',
      customDefinition(plural),
    );
    assert.equal(code, 201, text);
  }
});

test('every place of every kind is filled with valid JSON of the right size', () => {
  const seen = new Set<string>();
  for (const { shape, minimal } of subjects) {
    for (const place of placesOf(shape)) {
      if (seen.has(place.signature)) continue;
      seen.add(place.signature);
      for (const filling of fillings) {
        const text = fillPlace(minimal, shape, place, filling, 4_000);
        assert.equal(typeof JSON.parse(text), 'object');
        assert.ok(
          text.length > 2_500 && text.length < 5_500,
          `${place.signature} ${filling}: ${text.length}`,
        );
      }
    }
  }
  assert.ok(seen.size > 1_000);
});
