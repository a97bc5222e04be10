/** SPEC's sentences on names, verbs, parameters, consistent reads and watches. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const fresh = () => http.namespace();
const patch = (path: string, type: string, body: unknown) =>
  http.request('PATCH', path, body, { 'content-type': `application/${type}` });

describe('names', () => {
  test('a name is unique per kind within its namespace, and can be used again after deletion', async () => {
    const maps = await fresh();
    const named = { metadata: { name: 'same' } };
    const { body: first } = await http.post(maps, named);
    assert.equal((await http.post(maps, named)).code, 409);
    assert.equal((await http.post(maps.replace('configmaps', 'secrets'), named)).code, 201);
    assert.equal((await http.post(await fresh(), named)).code, 201);
    await http.delete(`${maps}/same`);
    const again = await http.post(maps, named);
    assert.equal(again.code, 201);
    assert.notEqual(again.body.metadata.uid, first.metadata.uid);
  });

  test('a name of a cluster-scoped kind is unique in the cluster', async () => {
    const classes = kind(http, '/apis/scheduling.orch.io/v1/priorityclasses');
    await classes.create({ metadata: { name: 'unique' } });
    const again = { ...classes.least, metadata: { name: 'unique' } };
    assert.equal((await http.post(classes.collection, again)).code, 409);
  });
});

describe('verbs', () => {
  test('PUT creates or updates by whether the object exists, for kinds that allow it', async () => {
    const leases = kind(http, '/apis/coordination.orch.io/v1/namespaces/default/leases');
    const lease = { ...leases.least, metadata: { name: 'put' } };
    assert.equal((await http.put(`${leases.collection}/put`, lease)).code, 201);
    const { body: made } = await http.get(`${leases.collection}/put`);
    assert.equal((await http.put(`${leases.collection}/put`, made)).code, 200);
    assert.equal((await http.put(`${await fresh()}/put`, { metadata: { name: 'put' } })).code, 404);
  });

  test('get and list answer 200, create 201, update, patch, delete and deletecollection 200', async () => {
    const maps = await fresh();
    const object = { metadata: { name: 'a' }, data: { k: '1' } };
    assert.equal((await http.get(`${maps}/a`)).code, 404);
    assert.equal((await http.post(maps, object)).code, 201);
    assert.equal((await http.get(`${maps}/a`)).code, 200);
    assert.equal((await http.get(maps)).code, 200);
    assert.equal((await http.put(`${maps}/a`, object)).code, 200);
    assert.equal((await patch(`${maps}/a`, 'merge-patch+json', { data: { k: '2' } })).code, 200);
    assert.equal((await http.delete(`${maps}/a`)).code, 200);
    assert.equal((await http.delete(maps)).code, 200);
  });

  test('an apply answers 201 where it creates, and 200 where it changes', async () => {
    const item = `${await fresh()}/applied?fieldManager=me`;
    const intent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } };
    assert.equal((await patch(item, 'apply-patch+yaml', intent)).code, 201);
    assert.equal((await patch(item, 'apply-patch+yaml', { ...intent, data: { k: 'v' } })).code, 200);
  });

  test('a GET with the query parameter watch is a watch', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' } });
    const watch = await http.watch(`${maps}?watch=true&timeoutSeconds=1`);
    assert.equal((await watch.next())?.type, 'ADDED');
    watch.close();
  });

  test('patch takes a JSON patch, a merge patch and a strategic merge patch, also of status', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' }, data: { k: '1' } });
    const item = `${maps}/a`;
    const json = [{ op: 'replace', path: '/data/k', value: '2' }];
    assert.equal((await patch(item, 'json-patch+json', json)).body.data.k, '2');
    assert.equal((await patch(item, 'merge-patch+json', { data: { k: '3' } })).body.data.k, '3');
    assert.equal((await patch(item, 'strategic-merge-patch+json', { data: { k: '4' } })).body.data.k, '4');
    const quotas = maps.replace('configmaps', 'resourcequotas');
    await http.post(quotas, { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } });
    const status = { hard: { pods: '1' }, used: { pods: '1' } };
    const answer = await patch(`${quotas}/q/status`, 'merge-patch+json', {
      status,
      spec: { hard: { pods: '9' } },
    });
    assert.equal(answer.code, 200, answer.text);
    assert.deepEqual(answer.body.status, status);
    assert.deepEqual(answer.body.spec.hard, { pods: '1' });
    assert.equal((await patch(item, 'json', {})).code, 415);
  });

  test('an update replaces fields that a patch would keep', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' }, data: { k: '1', l: '1' } });
    const patched = await patch(`${maps}/a`, 'merge-patch+json', { data: { k: '2' } });
    assert.deepEqual(patched.body.data, { k: '2', l: '1' });
    const updated = await http.put(`${maps}/a`, { metadata: { name: 'a' }, data: { k: '3' } });
    assert.deepEqual(updated.body.data, { k: '3' });
  });

  test('a cascading delete that waits for finalizers is 202', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a', finalizers: ['example.com/f'] } });
    const { code, body } = await http.delete(`${maps}/a`, { orphanDependents: false });
    assert.equal(code, 202);
    assert.equal(body.kind, 'Status');
    assert.ok((await http.get(`${maps}/a`)).body.metadata.deletionTimestamp);
  });
});

describe('parameters', () => {
  test('dryRun of update, patch, delete and deletecollection stores nothing', async () => {
    const maps = await fresh();
    const { body: made } = await http.post(maps, { metadata: { name: 'a' }, data: { k: '1' } });
    const item = `${maps}/a?dryRun=All`;
    const changed = { metadata: { name: 'a' }, data: { k: '2' } };
    assert.equal((await http.put(item, changed)).body.data.k, '2');
    assert.equal((await patch(item, 'merge-patch+json', { data: { k: '2' } })).body.data.k, '2');
    assert.equal((await http.delete(item)).code, 200);
    assert.equal((await http.delete(`${maps}?dryRun=All`)).code, 200);
    assert.deepEqual((await http.get(`${maps}/a`)).body, made);
    assert.equal((await http.put(`${maps}/a?dryRun=Some`, changed)).code, 422);
  });

  test('fieldValidation applies to update and patch', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' } });
    const item = `${maps}/a?fieldValidation=Strict`;
    assert.equal((await http.put(item, { metadata: { name: 'a' }, datta: {} })).code, 400);
    assert.equal((await patch(item, 'merge-patch+json', { datta: {} })).code, 422);
    assert.equal((await http.put(`${maps}/a?fieldValidation=Loose`, {})).code, 422);
  });

  test('gracePeriodSeconds in query or body sets the grace period of a pod', async () => {
    const pods = (await fresh()).replace('configmaps', 'pods');
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' };
    for (const name of ['a', 'b']) await http.post(pods, { metadata: { name }, spec });
    const byQuery = await http.delete(`${pods}/a?gracePeriodSeconds=7`);
    assert.equal(
      (byQuery.body.metadata as { deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds,
      7,
    );
    const byBody = await http.delete(`${pods}/b`, { gracePeriodSeconds: 8 });
    assert.equal(
      (byBody.body.metadata as { deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds,
      8,
    );
  });

  test('a body is required to create, update and patch, optional to delete', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' } });
    const json = { 'content-type': 'application/json' };
    assert.equal((await http.request('POST', maps, undefined, json)).code, 400);
    assert.equal((await http.request('PUT', `${maps}/a`, undefined, json)).code, 400);
    assert.equal((await patch(`${maps}/a`, 'merge-patch+json', '')).code, 400);
    assert.equal((await http.delete(`${maps}/a`)).code, 200);
  });

  test('labelSelector and fieldSelector filter a watch', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a', labels: { l: 'v' } } });
    await http.post(maps, { metadata: { name: 'b' } });
    for (const query of ['labelSelector=l=v', 'fieldSelector=metadata.name=a']) {
      const watch = await http.watch(`${maps}?watch=1&timeoutSeconds=1&${query}`);
      assert.deepEqual(
        (await watch.rest()).map(({ object }) => object.metadata.name),
        ['a'],
      );
    }
  });
});

describe('consistent reads', () => {
  test('get: any version with 0, the most recent without one, not older than a given one', async () => {
    const maps = await fresh();
    const { body: made } = await http.post(maps, { metadata: { name: 'a' } });
    const { body: newer } = await http.put(`${maps}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
    for (const { metadata } of [made, newer]) {
      const query = `?resourceVersion=${metadata.resourceVersion}`;
      assert.deepEqual((await http.get(`${maps}/a${query}`)).body, newer);
    }
    for (const query of ['', '?resourceVersion=0']) {
      assert.deepEqual((await http.get(`${maps}/a${query}`)).body, newer);
    }
    // No object has such a high revision yet.
    const late = http.get(`${maps}/a?resourceVersion=999999999`);
    const advance = setInterval(() => http.server.clock.advance(1_000), 10);
    const { code, body } = await late;
    clearInterval(advance);
    assert.equal(code, 504);
    assert.match(body.message, /Too large resource version/);
  });

  test('list: any version with 0, the most recent without one', async () => {
    const maps = await fresh();
    for (const name of ['a', 'b', 'c']) {
      const { body: made } = await http.post(maps, { metadata: { name } });
      const { body } = await http.get(maps);
      assert.equal(body.items.at(-1)?.metadata.uid, made.metadata.uid);
      assert.ok(Number(body.metadata.resourceVersion) >= Number(made.metadata.resourceVersion));
    }
    for (const query of ['?resourceVersion=0', '?resourceVersion=0&resourceVersionMatch=NotOlderThan']) {
      assert.equal((await http.get(maps + query)).body.items.length, 3);
    }
    // There is no exact version 0: it means any version.
    assert.equal((await http.get(`${maps}?resourceVersion=0&resourceVersionMatch=Exact`)).code, 422);
  });

  test('watch: without a version and with 0 it begins with synthetic ADDED events, with another it does not', async () => {
    const maps = await fresh();
    const { body: made } = await http.post(maps, { metadata: { name: 'a' } });
    await http.post(maps, { metadata: { name: 'b' } });
    const seen = async (query: string) => {
      const watch = await http.watch(`${maps}?watch=1&timeoutSeconds=1${query}`);
      return (await watch.rest()).map(({ type, object }) => `${type} ${object.metadata.name}`);
    };
    const everything = ['ADDED a', 'ADDED b'];
    assert.deepEqual(await seen(''), everything);
    assert.deepEqual(await seen('&resourceVersion=0'), everything);
    assert.deepEqual(await seen(`&resourceVersion=${made.metadata.resourceVersion}`), ['ADDED b']);
  });
});

describe('watch', () => {
  test('the stream is chunked JSON documents with type and object', async () => {
    const maps = await fresh();
    await http.post(maps, { metadata: { name: 'a' } });
    const response = await fetch(`${http.url}${maps}?watch=1&timeoutSeconds=1`);
    assert.equal(response.headers.get('transfer-encoding'), 'chunked');
    assert.equal(response.headers.get('content-type'), 'application/json');
    const event = JSON.parse((await response.text()).trim()) as object;
    assert.deepEqual(Object.keys(event), ['type', 'object']);
  });

  test('changes are ADDED and MODIFIED, and a BOOKMARK has the resourceVersion of the watch', async () => {
    const maps = await fresh();
    const { body: list } = await http.get(maps);
    const from = `&resourceVersion=${list.metadata.resourceVersion}`;
    const watch = await http.watch(`${maps}?watch=1&allowWatchBookmarks=true${from}`);
    await http.post(maps, { metadata: { name: 'a' } });
    await http.put(`${maps}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
    const types = [(await watch.next())?.type, (await watch.next())?.type];
    const next = watch.next();
    http.server.clock.advance(61_000);
    types.push((await next)?.type);
    watch.close();
    assert.deepEqual(types, ['ADDED', 'MODIFIED', 'BOOKMARK']);
  });

  test('a bookmark has the requested kind and only metadata.resourceVersion', async () => {
    const maps = await fresh();
    const { body: list } = await http.get(maps);
    const from = `&resourceVersion=${list.metadata.resourceVersion}`;
    const watch = await http.watch(`${maps}?watch=1&allowWatchBookmarks=true${from}`);
    const next = watch.next();
    http.server.clock.advance(61_000);
    const bookmark = await next;
    watch.close();
    assert.equal(bookmark?.type, 'BOOKMARK');
    const { kind: of, apiVersion, metadata, ...rest } = bookmark!.object;
    assert.deepEqual([of, apiVersion], ['ConfigMap', 'v1']);
    assert.deepEqual({ ...metadata }, { resourceVersion: metadata.resourceVersion, creationTimestamp: null });
    assert.deepEqual(rest, {});
  });

  test('no bookmark is sent without allowWatchBookmarks', async () => {
    const maps = await fresh();
    const { body: list } = await http.get(maps);
    const typesOf = async (allowing: string) => {
      const from = `resourceVersion=${list.metadata.resourceVersion}`;
      const watch = await http.watch(`${maps}?watch=1&timeoutSeconds=120&${from}${allowing}`);
      const events = watch.rest();
      for (let second = 0; second < 121; second += 10) http.server.clock.advance(10_000);
      return new Set((await events).map(({ type }) => type));
    };
    assert.deepEqual(await typesOf('&allowWatchBookmarks=true'), new Set(['BOOKMARK']));
    assert.deepEqual(await typesOf(''), new Set());
  });

  test('a watch from a future resourceVersion waits until its timeout', async () => {
    const maps = await fresh();
    const watch = await http.watch(`${maps}?watch=1&resourceVersion=999999999&timeoutSeconds=5`);
    const events = watch.rest();
    http.server.clock.advance(6_000);
    assert.deepEqual(await events, []);
  });

  test('sendInitialEvents needs resourceVersionMatch=NotOlderThan', async () => {
    const maps = await fresh();
    assert.equal((await http.get(`${maps}?watch=1&sendInitialEvents=true&timeoutSeconds=1`)).code, 422);
  });

  test('sendInitialEvents from a version sends the bookmark once that version is reached', async () => {
    const maps = await fresh();
    const { body: made } = await http.post(maps, { metadata: { name: 'a' } });
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const version = Number(made.metadata.resourceVersion) + 2;
    const watching = http.watch(`${maps}?${query}&resourceVersion=${version}`);
    for (const name of ['b', 'c', 'd']) await http.post(maps, { metadata: { name } });
    const watch = await watching;
    const names: string[] = [];
    for (let event = await watch.next(); ; event = await watch.next()) {
      if (event?.type === 'BOOKMARK') {
        assert.ok(Number(event.object.metadata.resourceVersion) >= version);
        assert.equal(event.object.metadata.annotations['orch.io/initial-events-end'], 'true');
        break;
      }
      assert.equal(event?.type, 'ADDED');
      names.push(event!.object.metadata.name);
    }
    watch.close();
    assert.deepEqual(names.slice(0, 2), ['a', 'b']);
  });
});
