// Writes of maximum size are prepared on a worker thread, so that other requests do not wait.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import {
  anything,
  definitions,
  fields,
  HostileDefinitions,
  list,
  object,
  objectsOf,
  spec,
  times,
} from './hostile-definitions.ts';

const kinds = new HostileDefinitions({ writeThreads: 1 });
const { define, make, isQuick, ask } = kinds;

const keyed = list(object({ name: { type: 'string' } }, { required: ['name'] }), {
  'x-orch-list-type': 'map',
  'x-orch-list-map-keys': ['name'],
});
const byName = (count: number, more: object = {}) => times(count, (i) => ({ name: `n${i}`, ...more }));
const configMaps = '/api/v1/namespaces/default/configmaps';
const data = (count: number) => fields(count, () => 'v'.repeat(20));

const applied = (path: string, body: string, query = '') =>
  ask({
    method: 'PATCH',
    path: `${path}?fieldManager=test&force=true${query}`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  });

describe('large objects are created, applied and updated', () => {
  test('a list of very many items with merge keys', async () => {
    const { plural } = await define({ schema: spec(keyed) });
    const path = `${objectsOf(plural)}/o`;
    const body = (count: number) => kinds.write(plural, 'o', { spec: byName(count) });
    assert.equal((await isQuick(() => applied(path, body(25_000)))).code, 201);
    assert.equal((await isQuick(() => applied(path, body(25_001)))).code, 200);
    assert.equal((await isQuick(() => applied(path, body(25_001)))).code, 200);
    assert.equal((await isQuick(() => applied(path, body(20_000), '&dryRun=All'))).code, 200);
    const replacing = [{ op: 'replace', path: '/spec/0/name', value: 'other' }];
    const patched = await isQuick(() =>
      ask({
        method: 'PATCH',
        path,
        headers: { 'content-type': 'application/json-patch+json' },
        body: JSON.stringify(replacing),
      }),
    );
    assert.equal(patched.code, 200, patched.text);
    const { code, text } = await isQuick(() => make(plural, { spec: byName(25_000) }));
    assert.equal(code, 201, text);
    assert.equal((await isQuick(() => ask({ method: 'DELETE', path: `${path}?dryRun=All` }))).code, 200);
    assert.equal((await isQuick(() => ask({ method: 'DELETE', path }))).code, 200);
  });

  test('fields without a schema', async () => {
    const { plural } = await define({ schema: spec(anything) });
    const content = { spec: fields(50_000, (i) => i) };
    assert.equal((await isQuick(() => make(plural, content))).code, 201);
    const path = `${objectsOf(plural)}/o`;
    const { code, text } = await isQuick(() => applied(path, kinds.write(plural, 'o', content)));
    assert.ok(code === 201 || code === 200, text);
  });

  test('a second create is AlreadyExists', async () => {
    const { plural } = await define({ schema: spec(anything) });
    const body = kinds.write(plural, 'twice', { spec: fields(40_000, (i) => i) });
    const post = (query = '') => ask({ method: 'POST', path: objectsOf(plural) + query, body });
    assert.equal((await post('?dryRun=All')).code, 201);
    assert.equal((await post()).code, 201);
    const again = await isQuick(() => post());
    assert.equal(again.code, 409);
    assert.match(again.text, /\\"twice\\" already exists/);
    assert.equal((await isQuick(() => post('?dryRun=All'))).code, 409);
  });

  test('built-in kinds', async () => {
    const made = { apiVersion: 'v1', kind: 'ConfigMap', data: data(20_000) };
    const of = (name: string) => JSON.stringify({ ...made, metadata: { name } });
    const post = await isQuick(() =>
      ask({ method: 'POST', path: `${configMaps}?dryRun=All`, body: of('large') }),
    );
    assert.equal(post.code, 201);
    const { code, text } = await isQuick(() => applied(`${configMaps}/large`, of('large')));
    assert.ok(code === 201 || code === 200, text);
  });

  test('owner names that look like the end of their list', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', uid: 'u', name: '}]'.repeat(100_000) };
    const made = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owned', ownerReferences: [owner] },
    };
    const { code, text } = await isQuick(() =>
      applied(`${configMaps}/owned`, JSON.stringify({ ...made, data: { at: String(Math.random()) } })),
    );
    assert.ok(code === 201 || code === 200, text);
  });

  test('very many owners, all but one deleted', async () => {
    const of = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
    const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } };
    const owner = await ask({ method: 'POST', path: configMaps, body: JSON.stringify(made) });
    const { metadata } = JSON.parse(owner.text) as { metadata: { uid: string } };
    const gone = times(4_999, (i) => of(`gone${i}`, `uid${i}`));
    let tries = 0;
    await isQuick(async () => {
      const name = `owned${tries++}`;
      const ownerReferences = [of('owner', metadata.uid), ...gone];
      const body = JSON.stringify({ ...made, metadata: { name, ownerReferences } });
      const posted = await ask({ method: 'POST', path: configMaps, body });
      assert.equal(posted.code, 201);
      let { turn } = posted;
      // The garbage collector removes the references to deleted owners.
      for (let isLeft = true; isLeft; ) {
        const seen = await ask({ path: `${configMaps}/${name}` });
        turn = Math.max(turn, seen.turn);
        isLeft = seen.text.includes('gone0');
      }
      return { turn };
    });
  });

  test('YAML', async () => {
    const { plural } = await define({ schema: spec(keyed) });
    const head = Object.entries(JSON.parse(kinds.write(plural, 'yaml', '')) as object);
    const lines = [
      ...head.map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
      'spec:',
      ...times(25_000, (i) => `- name: n${i}`),
    ];
    const { code, text } = await isQuick(() =>
      ask({
        method: 'POST',
        path: `${objectsOf(plural)}?dryRun=All`,
        headers: { 'content-type': 'application/yaml' },
        body: lines.join('\n'),
      }),
    );
    assert.equal(code, 201, text);
  });
});

describe('large objects are read', () => {
  const forms = ['application/yaml', 'application/vnd.orch.protobuf', 'application/json'];
  const named = (name: string) => `${configMaps}/${name}`;
  const shown = async (path: string, accept: string) => {
    const { code, text } = await kinds.server.ask(path, { headers: { accept } });
    assert.equal(code, 200, text.slice(0, 1_000));
    return text;
  };

  test('in every media type, alone and in lists', async () => {
    const made = { apiVersion: 'v1', kind: 'ConfigMap', data: data(30_000), metadata: { name: 'shown' } };
    const posted = await ask({ method: 'POST', path: configMaps, body: JSON.stringify(made) });
    assert.equal(posted.code, 201, posted.text);
    for (const accept of forms) {
      for (const path of [named('shown'), `${named('shown')}?pretty=true`, configMaps]) {
        const { code } = await isQuick(() => ask({ path, headers: { accept } }));
        assert.equal(code, 200);
      }
    }
    const [yaml = '', , json = ''] = await Promise.all(forms.map((form) => shown(named('shown'), form)));
    assert.deepEqual(parseYaml(yaml, { uniqueKeys: false }), JSON.parse(json));
    const [yamls = '', , jsons = ''] = await Promise.all(forms.map((form) => shown(configMaps, form)));
    assert.deepEqual(parseYaml(yamls, { uniqueKeys: false }), JSON.parse(jsons));
  });

  test('as a Table, with the row of a list', async () => {
    const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
    for (const includeObject of ['', '?includeObject=Object', '?includeObject=None']) {
      const { code, text } = await isQuick(() =>
        ask({ path: `${named('shown')}${includeObject}`, headers: { accept: table } }),
      );
      assert.equal(code, 200, text);
      const single = JSON.parse(await shown(`${named('shown')}${includeObject}`, table));
      const query = `${includeObject || '?'}&fieldSelector=metadata.name%3Dshown`;
      const listed = JSON.parse(await shown(`${configMaps}${query}`, table));
      assert.deepEqual(single.rows[0].cells.slice(0, 2), ['shown', 30_000]);
      assert.deepEqual(single.columnDefinitions, listed.columnDefinitions);
      assert.match(single.metadata.resourceVersion, /^\d+$/);
      // The age may be a second apart.
      for (const { rows } of [single, listed]) rows[0].cells.length = 2;
      // As a list item, an object has no kind and apiVersion.
      if (single.rows[0].object && includeObject !== '') {
        delete single.rows[0].object.kind;
        delete single.rows[0].object.apiVersion;
        delete listed.rows[0].object.kind;
        delete listed.rows[0].object.apiVersion;
      }
      assert.deepEqual(single.rows, listed.rows);
    }
  });
});

describe('large CRDs', () => {
  const text = { type: 'string' };
  const alternatives = (depth: number): object =>
    depth === 0 ? { minLength: 5 } : { anyOf: [alternatives(depth - 1), alternatives(depth - 1)] };
  const longNamed = (count: number) =>
    Object.fromEntries(times(count, (i) => [`${'n'.repeat(100)}${i}`, text]));
  const kindsToTry: Readonly<Record<string, { schema: object; content: object }>> = {
    'very many properties': {
      schema: spec(object(fields(15_000, () => text))),
      content: { spec: { f0: 'x' } },
    },
    'properties with long names': { schema: spec(object(longNamed(8_000))), content: {} },
    'very many alternatives': {
      schema: spec({ ...text, ...alternatives(13) }),
      content: { spec: 'abcdef' },
    },
    'very many values': {
      schema: spec({ type: 'integer', enum: times(100_000, (i) => i) }),
      content: { spec: 7 },
    },
    'very many defaults': {
      schema: spec(
        object(
          fields(5_000, (i) => ({ ...text, default: `${i}` })),
          { default: {} },
        ),
      ),
      content: {},
    },
    'long descriptions': {
      schema: spec(object(fields(1_400, () => ({ ...text, description: 'd'.repeat(1_000) })))),
      content: { spec: { f0: 'x' } },
    },
  };
  const tableOnly = 'application/json;as=Table;v=v1;g=meta.orch.io';
  const documents = [
    { path: '/openapi/v3/apis/example.com/v1' },
    { path: '/openapi/v2' },
    {
      path: '/openapi/v2',
      headers: { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
    },
  ];
  for (const [what, { schema, content }] of Object.entries(kindsToTry)) {
    test(what, async () => {
      const { plural, code, text } = await isQuick(() => define({ schema }));
      assert.equal(code, 201, text);
      const made = await isQuick(() => make(plural, content));
      assert.equal(made.code, 201, made.text);
      for (const document of documents) assert.equal((await isQuick(() => ask(document))).code, 200);
      const path = `${definitions}/${plural}.example.com`;
      for (const accept of ['application/yaml', 'application/vnd.orch.protobuf', tableOnly]) {
        assert.equal((await isQuick(() => ask({ path, headers: { accept } }))).code, 200);
        assert.equal((await isQuick(() => ask({ path: definitions, headers: { accept } }))).code, 200);
      }
      let labels = 0;
      const labelled = await isQuick(() =>
        ask({
          method: 'PATCH',
          path,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify({ metadata: { labels: { n: `${labels++}` } } }),
        }),
      );
      assert.equal(labelled.code, 200, labelled.text);
      await isQuick(async () => {
        const victim = await define({ schema });
        return ask({ method: 'DELETE', path: `${definitions}/${victim.plural}.example.com` });
      });
    });
  }

  test('are sent by watches in other media types than JSON', async () => {
    const { plural } = await define({ schema: spec(object(fields(15_000, () => text))) });
    const name = `${plural}.example.com`;
    const watched = await isQuick(() =>
      ask({
        path: `${definitions}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=${name}`,
        headers: { accept: 'application/vnd.orch.protobuf;stream=watch' },
      }),
    );
    assert.equal(watched.code, 200);
    for (const part of ['ADDED', name, 'f1000']) assert.ok(watched.text.includes(part), part);
  });

  test('a CRD above the size limit of etcd is rejected', async () => {
    const schema = spec({ ...text, description: 'd'.repeat(1.5 * 1024 * 1024) });
    const { code, text: said } = await isQuick(() => define({ schema }));
    assert.equal(code, 413);
    assert.match(said, /the object would take \d+ bytes, and at most 1572864 are kept/);
  });

  test('the OpenAPI document of one has its schema', async () => {
    const properties = fields(15_000, (i) => ({ ...text, description: `é "openAPIV3Schema":{ ${i}` }));
    const { plural } = await define({ schema: spec(object(properties)) });
    const { text: document } = await kinds.server.ask('/openapi/v3/apis/example.com/v1');
    const { schemas } = JSON.parse(document).components;
    const name = `com.example.v1.${plural[0]!.toUpperCase()}${plural.slice(1)}`;
    assert.deepEqual(schemas[name].properties.spec.properties, properties);
    const path = `${definitions}/${plural}.example.com`;
    const before = JSON.parse((await kinds.server.ask(path)).text);
    const body = JSON.stringify({ metadata: { finalizers: ['example.com/wait'] } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await ask({ method: 'PATCH', path, headers, body })).code, 200);
    assert.equal((await ask({ method: 'DELETE', path })).code, 200);
    const marked = JSON.parse((await kinds.server.ask(path)).text);
    assert.deepEqual(marked.spec, before.spec);
    assert.ok(marked.metadata.deletionTimestamp);
    assert.ok(marked.status.conditions.some(({ type }: { type: string }) => type === 'Terminating'));
    const refused = await make(plural, {});
    assert.equal(refused.code, 405, refused.text);
  });
});
