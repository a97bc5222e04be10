import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { Kubectl, kubectlSkipReason } from './kubectl.ts';
import { type ClientTarget, startTarget } from './target.ts';

describe('kubectl', { skip: kubectlSkipReason ?? false }, () => {
  let target: ClientTarget;
  let kubectl: Kubectl;
  let namespaces = 0;

  before(async () => {
    target = await startTarget();
    kubectl = new Kubectl(target);
  });
  after(() => target?.stop());

  /** Every test has its own namespace. */
  async function namespace(): Promise<string> {
    const name = `clients-${process.pid}-${++namespaces}`;
    await kubectl.run(['create', 'namespace', name]);
    return name;
  }

  const configMap = (name: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
${more}`;

  test('version prints the release of the API', async () => {
    assert.match(await kubectl.run(['version']), /Server Version: v1\.33\./);
  });

  test('api-versions lists every served group version', async () => {
    const versions = (await kubectl.run(['api-versions'])).trim().split('\n');
    for (const version of ['v1', 'apps/v1', 'coordination.k8s.io/v1', 'events.k8s.io/v1']) {
      assert.ok(versions.includes(version), `${version} in ${versions}`);
    }
  });

  test('api-resources lists kinds with short names, scope and verbs', async () => {
    const lines = (await kubectl.run(['api-resources', '-o', 'wide'])).split('\n');
    const configMaps = lines.find((line) => line.startsWith('configmaps '));
    assert.match(
      configMaps ?? '',
      /configmaps +cm +v1 +true +ConfigMap +create,delete,deletecollection,get,list,(patch,)?update,watch/,
    );
    assert.match(
      lines.find((line) => line.startsWith('namespaces ')) ?? '',
      /namespaces +ns +v1 +false +Namespace/,
    );
    assert.match(
      await kubectl.run(['api-resources', '--api-group=apps', '-o', 'name']),
      /controllerrevisions\.apps/,
    );
  });

  test('create makes namespaces, ConfigMaps and Secrets from flags', async () => {
    const ns = await namespace();
    assert.equal(
      await kubectl.run(['-n', ns, 'create', 'configmap', 'settings', '--from-literal=color=blue']),
      'configmap/settings created\n',
    );
    assert.equal(
      await kubectl.run(['-n', ns, 'create', 'secret', 'generic', 'door', '--from-literal=key=sesame']),
      'secret/door created\n',
    );
    const secret = JSON.parse(await kubectl.run(['-n', ns, 'get', 'secret', 'door', '-o', 'json']));
    assert.deepEqual(secret.data, { key: Buffer.from('sesame').toString('base64') });
    assert.equal(secret.type, 'Opaque');
  });

  test('create -f creates several documents of one file', async () => {
    const ns = await namespace();
    const lease =
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: b\nspec:\n  holderIdentity: me\n';
    assert.equal(
      await kubectl.run(['-n', ns, 'create', '-f', '-'], `${configMap('a', 'data: {k: v}\n')}---\n${lease}`),
      'configmap/a created\nlease.coordination.k8s.io/b created\n',
    );
  });

  test('create -f reports an unknown field', async () => {
    const ns = await namespace();
    assert.match(
      await kubectl.fail(['-n', ns, 'create', '-f', '-'], configMap('a', 'datta: {k: v}\n')),
      /Error from server \(BadRequest\).*strict decoding error: unknown field "datta"/,
    );
    assert.match(
      (
        await kubectl.try(
          ['-n', ns, 'create', '--validate=warn', '-f', '-'],
          configMap('a', 'datta: {k: v}\n'),
        )
      ).stderr,
      /Warning: unknown field "datta"/,
    );
  });

  test('create --dry-run=server stores nothing', async () => {
    const ns = await namespace();
    assert.equal(
      await kubectl.run(['-n', ns, 'create', '--dry-run=server', '-f', '-'], configMap('a')),
      'configmap/a created (server dry run)\n',
    );
    assert.match(await kubectl.fail(['-n', ns, 'get', 'cm', 'a']), /NotFound/);
  });

  test('get prints an object as YAML, JSON, name and jsonpath', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', '-f', '-'], configMap('a', 'data: {k: v}\n'));
    const get = (format: string) => kubectl.run(['-n', ns, 'get', 'configmap', 'a', '-o', format]);
    const fromJson = JSON.parse(await get('json'));
    assert.equal(fromJson.metadata.namespace, ns);
    assert.deepEqual(fromJson.data, { k: 'v' });
    assert.deepEqual(parse(await get('yaml')), fromJson);
    assert.equal(await get('name'), 'configmap/a\n');
    assert.equal(await get('jsonpath={.data.k}'), 'v');
  });

  test('get prints lists in columns', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', '-f', '-'], `${configMap('a')}---\n${configMap('b')}`);
    const [header, ...rows] = (await kubectl.run(['-n', ns, 'get', 'cm'])).trim().split('\n');
    assert.match(header ?? '', /^NAME .*AGE/);
    assert.deepEqual(
      rows.map((row) => row.split(/ +/)[0]),
      ['a', 'b'],
    );
    assert.match(await kubectl.run(['get', 'cm', '-A']), new RegExp(`${ns} +a `));
    assert.match(await kubectl.run(['get', 'namespaces']), /kube-system/);
    assert.match((await kubectl.try(['-n', ns, 'get', 'secrets'])).stderr, /No resources found/);
  });

  test('get selects by label and by field', async () => {
    const ns = await namespace();
    const labelled = (name: string, color: string) => configMap(name, `  labels: {color: ${color}}\n`);
    const three = [labelled('a', 'red'), labelled('b', 'blue'), configMap('c')].join('---\n');
    await kubectl.run(['-n', ns, 'create', '-f', '-'], three);
    const names = async (...args: string[]) =>
      (await kubectl.run(['-n', ns, 'get', 'cm', '-o', 'name', ...args]))
        .trim()
        .split('\n')
        .map((name) => name.slice(10));
    assert.deepEqual(await names('-l', 'color=red'), ['a']);
    assert.deepEqual(await names('-l', 'color in (red, blue)'), ['a', 'b']);
    assert.deepEqual(await names('-l', 'color!=red'), ['b', 'c']);
    assert.deepEqual(await names('-l', '!color'), ['c']);
    assert.deepEqual(await names('--field-selector', 'metadata.name=b'), ['b']);
    assert.match(
      await kubectl.fail(['-n', ns, 'get', 'cm', '--field-selector', 'data.k=v']),
      /"data\.k" is not a known field selector: only "metadata\.name", "metadata\.namespace"/,
    );
  });

  test('get reads a long list in pages', async () => {
    const ns = await namespace();
    const names = Array.from({ length: 25 }, (_, i) => `item-${String(i).padStart(2, '0')}`);
    await kubectl.run(['-n', ns, 'create', '-f', '-'], names.map((name) => configMap(name)).join('---\n'));
    const { stdout, stderr } = await kubectl.try([
      '-n',
      ns,
      'get',
      'cm',
      '--chunk-size=10',
      '-o',
      'name',
      '-v=6',
    ]);
    assert.deepEqual(
      stdout.trim().split('\n'),
      names.map((name) => `configmap/${name}`),
    );
    assert.equal(stderr.match(/continue=/g)?.length, 2, 'two further pages are asked for');
  });

  test('get -w prints changes as they happen', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', '-f', '-'], configMap('a'));
    const watch = kubectl.follow(['-n', ns, 'get', 'cm', '-w', '--output-watch-events']);
    try {
      await watch.printed(/^ADDED +a /m);
      await kubectl.run(['-n', ns, 'create', '-f', '-'], configMap('b'));
      await watch.printed(/^ADDED +b /m);
      await kubectl.run(['-n', ns, 'replace', '-f', '-'], configMap('b', 'data: {k: v}\n'));
      await watch.printed(/^MODIFIED +b /m);
      await kubectl.run(['-n', ns, 'delete', 'cm', 'a']);
      await watch.printed(/^DELETED +a /m);
    } finally {
      await watch.stop();
    }
  });

  test('replace writes the whole object and rejects an old resourceVersion', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', '-f', '-'], configMap('a', 'data: {k: old}\n'));
    const before = await kubectl.run(['-n', ns, 'get', 'cm', 'a', '-o', 'json']);
    assert.equal(
      await kubectl.run(['-n', ns, 'replace', '-f', '-'], configMap('a', 'data: {k: new}\n')),
      'configmap/a replaced\n',
    );
    assert.equal(await kubectl.run(['-n', ns, 'get', 'cm', 'a', '-o', 'jsonpath={.data.k}']), 'new');
    assert.match(
      await kubectl.fail(['-n', ns, 'replace', '-f', '-'], before),
      /Error from server \(Conflict\).*the object has been modified; please apply your changes to the latest version/,
    );
  });

  test('delete takes names, selectors and --all, and wait observes the deletion', async () => {
    const ns = await namespace();
    const manifests = ['a', 'b', 'c', 'd'].map((name) => configMap(name, `  labels: {name: ${name}}\n`));
    await kubectl.run(['-n', ns, 'create', '-f', '-'], manifests.join('---\n'));
    assert.match(await kubectl.run(['-n', ns, 'delete', 'cm', 'a']), /^configmap "a" deleted/);
    assert.match(await kubectl.run(['-n', ns, 'delete', 'cm', '-l', 'name=b']), /^configmap "b" deleted/);
    const waiting = kubectl.run(['-n', ns, 'wait', '--for=delete', 'cm/c', '--timeout=3m']);
    assert.match(await kubectl.run(['-n', ns, 'delete', 'cm', '--all']), /"c" deleted[\s\S]*"d" deleted/);
    await waiting;
    assert.match((await kubectl.try(['-n', ns, 'get', 'cm'])).stderr, /No resources found/);
    assert.match(await kubectl.fail(['-n', ns, 'delete', 'cm', 'a']), /configmaps "a" not found/);
  });

  test('delete waits for finalizers', async () => {
    const ns = await namespace();
    await kubectl.run(
      ['-n', ns, 'create', '-f', '-'],
      configMap('held', '  finalizers: [example.com/hold]\n'),
    );
    await kubectl.run(['-n', ns, 'delete', 'cm', 'held', '--wait=false']);
    const held = JSON.parse(await kubectl.run(['-n', ns, 'get', 'cm', 'held', '-o', 'json']));
    assert.ok(held.metadata.deletionTimestamp);
    const waiting = kubectl.run(['-n', ns, 'wait', '--for=delete', 'cm/held', '--timeout=3m']);
    delete held.metadata.finalizers;
    await kubectl.run(['-n', ns, 'replace', '-f', '-'], JSON.stringify(held));
    await waiting;
  });

  test('get --raw reads any path', async () => {
    const ns = await namespace();
    assert.equal(await kubectl.run(['get', '--raw', '/readyz']), 'ok');
    assert.equal(JSON.parse(await kubectl.run(['get', '--raw', '/version'])).major, '1');
    const list = JSON.parse(await kubectl.run(['get', '--raw', `/api/v1/namespaces/${ns}/secrets`]));
    assert.equal(list.kind, 'SecretList');
  });

  test('get events and events print Events', async () => {
    const ns = await namespace();
    const event = `apiVersion: v1
kind: Event
metadata: {name: note, namespace: ${ns}}
involvedObject: {kind: ConfigMap, namespace: ${ns}, name: a}
reason: Painted
message: it is blue now
type: Normal
firstTimestamp: 2024-01-01T00:00:00Z
lastTimestamp: 2024-01-01T00:00:00Z
count: 1
`;
    await kubectl.run(['-n', ns, 'create', '-f', '-'], event);
    assert.match(await kubectl.run(['-n', ns, 'get', 'events', '-o', 'name']), /^event\/note$/m);
    assert.match(
      await kubectl.run(['-n', ns, 'get', 'events.events.k8s.io', '-o', 'name']),
      /event\.events\.k8s\.io\/note/,
    );
    assert.match(await kubectl.run(['-n', ns, 'events']), /Painted +ConfigMap\/a +it is blue now/);
  });

  test('describe prints ConfigMaps, Secrets and namespaces', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', 'configmap', 'settings', '--from-literal=color=blue']);
    await kubectl.run(['-n', ns, 'create', 'secret', 'generic', 'door', '--from-literal=key=sesame']);
    assert.match(
      await kubectl.run(['-n', ns, 'describe', 'cm', 'settings']),
      /Name: +settings[\s\S]*color:\n----\nblue/,
    );
    const secret = await kubectl.run(['-n', ns, 'describe', 'secret', 'door']);
    assert.match(secret, /Type: +Opaque[\s\S]*key: +6 bytes/);
    assert.doesNotMatch(secret, /sesame/);
    assert.match(await kubectl.run(['describe', 'ns', ns]), /Status: +Active/);
  });

  test('errors are printed with reason and message', async () => {
    const ns = await namespace();
    await kubectl.run(['-n', ns, 'create', '-f', '-'], configMap('a'));
    assert.equal(
      await kubectl.fail(['-n', ns, 'get', 'cm', 'none']),
      'Error from server (NotFound): configmaps "none" not found\n',
    );
    assert.match(
      await kubectl.fail(['-n', ns, 'create', '-f', '-'], configMap('a')),
      /Error from server \(AlreadyExists\).*configmaps "a" already exists/,
    );
    assert.match(
      await kubectl.fail(['-n', ns, 'create', '-f', '-'], configMap('Not_A_Name')),
      /The ConfigMap "Not_A_Name" is invalid: metadata\.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain/,
    );
    assert.match(
      await kubectl.fail(['-n', 'nowhere', 'create', '-f', '-'], configMap('a')),
      /Error from server \(NotFound\).*namespaces "nowhere" not found/,
    );
    assert.match(
      await kubectl.fail(['get', 'unicorns']),
      /the server doesn't have a resource type "unicorns"/,
    );
  });
});
