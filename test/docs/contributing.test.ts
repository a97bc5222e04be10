// Applies the examples of CONTRIBUTING.md to a copy of src/, compiles it and uses the result over HTTP.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { Program } from '../support/program.ts';

interface Example {
  /** New files, with their content. */
  readonly files: ReadonlyMap<string, string>;
  /** Changed files, with the lines of their diff. */
  readonly diffs: ReadonlyMap<string, readonly string[]>;
}

const page = readFileSync('CONTRIBUTING.md', 'utf8');

function exampleIn(checklist: string): Example {
  const [, section = ''] = page.split(`\n### ${checklist}\n`);
  const blocksOf = (language: string) =>
    [...section.split('\n##')[0]!.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
      ([, block]) => block!,
    );
  const files = blocksOf('ts').map((code): [string, string] => {
    const [, file] = code.match(/^\/\/ (src\S+)\n/)!;
    return [file!, code.slice(code.indexOf('\n') + 1)];
  });
  const diffs = blocksOf('diff').flatMap((block) =>
    block
      .split(/^--- /m)
      .slice(1)
      .map((diff): [string, string[]] => {
        const [file, ...lines] = diff.trimEnd().split('\n');
        return [file!, lines];
      }),
  );
  return { files: new Map(files), diffs: new Map(diffs) };
}

/** Hunks are separated by `@@`. The context and removed lines of a hunk occur once in the file. */
function applyDiff(text: string, lines: readonly string[], file: string): string {
  return lines
    .join('\n')
    .split('\n@@\n')
    .reduce((patched, hunk) => {
      const without = (sign: string) =>
        hunk
          .split('\n')
          .filter((line) => !line.startsWith(sign))
          .map((line) => line.slice(1))
          .join('\n');
      const [oldLines, newLines] = [without('+'), without('-')];
      assert.equal(patched.split(oldLines).length - 1, 1, `${file} has these lines once:\n${oldLines}`);
      return patched.replace(oldLines, () => newLines);
    }, text);
}

const examples = {
  kind: exampleIn('Add a kind'),
  plugin: exampleIn('Add an admission plugin'),
  controller: exampleIn('Add a controller'),
  celFunction: exampleIn('Add a CEL function'),
  backend: exampleIn('Add a storage backend'),
};

test('an example of CONTRIBUTING.md touches as few places as its checklist says', () => {
  const places = Object.entries(examples).map(([name, { files, diffs }]) => [
    name,
    new Set([...files.keys()].map((file) => file.replace(/\.test\.ts$/, '.ts'))).size,
    diffs.size,
  ]);
  assert.deepEqual(places, [
    ['kind', 1, 1],
    ['plugin', 1, 1],
    ['controller', 1, 1],
    ['celFunction', 0, 1],
    ['backend', 1, 2],
  ]);
  const folders = [...examples.backend.files.keys()].map((file) => dirname(file));
  assert.deepEqual([...new Set(folders)], ['src/store/deferred']);
});

describe('with the examples of CONTRIBUTING.md applied to a copy of src/', () => {
  const root = mkdtempSync(join(tmpdir(), 'contributing-'));
  /** Without the variable that makes a nested node --test report to this process instead of printing. */
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const run = (...args: string[]) => new Program(process.execPath, args, { cwd: root, env });
  let compiler: Program;
  let server: Program;
  let url: string;

  before(async () => {
    cpSync('src', join(root, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json']) cpSync(file, join(root, file));
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    for (const { files, diffs } of Object.values(examples)) {
      for (const [file, code] of files) {
        mkdirSync(join(root, dirname(file)), { recursive: true });
        writeFileSync(join(root, file), code);
      }
      for (const [file, lines] of diffs) {
        const path = join(root, file);
        writeFileSync(path, applyDiff(readFileSync(path, 'utf8'), lines, file));
      }
    }
    const sources = Object.values(examples).flatMap(({ files }) => [...files.keys()]);
    const project = { extends: './tsconfig.json', include: [], files: ['src/main.ts', ...sources] };
    writeFileSync(join(root, 'tsconfig.examples.json'), JSON.stringify(project));
    compiler = run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.examples.json');
    const [http, secure] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${http}`;
    const flags = ['--storage', 'deferred', '--enable-admission-plugins', 'DenyHostNetwork'];
    const ports = ['--http-port', String(http), '--secure-port', String(secure)];
    const data = ['--data-dir', join(root, 'data'), '--dialect', 'kubernetes'];
    server = run('src/main.ts', 'dev', ...data, ...ports, ...flags);
    await server.printed(/kubectl .*\n/);
  });

  after(async () => {
    await Promise.all([server.stop(), compiler.stop()]);
    rmSync(root, { recursive: true });
  });

  const post = async (path: string, object: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(object) });
    const { message } = (await response.json()) as { message?: string };
    return { code: response.status, message };
  };
  const get = async (path: string) => {
    const response = await fetch(url + path);
    const text = await response.text();
    return { code: response.status, object: response.ok ? JSON.parse(text) : {} };
  };

  test('the server serves and validates the kind', async () => {
    const path = '/apis/scheduling.k8s.io/v1/namespaces/default/podgroups';
    assert.equal((await post(path, { metadata: { name: 'web' }, minMember: 3 })).code, 201);
    const { code, object } = await get(`${path}/web`);
    assert.deepEqual([code, object.kind, object.minMember], [200, 'PodGroup', 3]);
    const rejected = await post(path, { metadata: { name: 'none' }, minMember: 0 });
    assert.equal(rejected.code, 422);
    assert.match(rejected.message!, /minMember: Invalid value: 0: must be greater than zero/);
  });

  test('the admission plugin rejects a pod', async () => {
    const pod = (name: string, hostNetwork: boolean) => ({
      metadata: { name },
      spec: { hostNetwork, containers: [{ name: 'main', image: 'main' }] },
    });
    const path = '/api/v1/namespaces/default/pods';
    assert.equal((await post(path, pod('isolated', false))).code, 201);
    const rejected = await post(path, pod('exposed', true));
    assert.equal(rejected.code, 403);
    assert.match(rejected.message!, /the network of the node is denied by admission control/);
  });

  test('the controller labels a node', async () => {
    const path = '/api/v1/nodes';
    const labels = async () => (await get(`${path}/a`)).object.metadata.labels?.['example.com/cordoned'];
    assert.equal((await post(path, { metadata: { name: 'a' }, spec: { unschedulable: true } })).code, 201);
    while ((await labels()) !== 'true') await setTimeout(10);
  });

  test('a CRD validation rule calls the CEL function', async () => {
    const rule = 'sets.isDisjoint(self.allow, self.deny)';
    const names = { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } };
    const spec = { type: 'object', properties: { allow: names, deny: names }, required: ['allow', 'deny'] };
    const schema = {
      type: 'object',
      properties: { spec: { ...spec, 'x-kubernetes-validations': [{ rule, message: 'not disjoint' }] } },
    };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const definition = {
      metadata: { name: 'filters.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'filters', kind: 'Filter' },
        versions: [version],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await post(definitions, definition)).code, 201);
    while ((await get('/apis/example.com/v1/filters')).code !== 200) await setTimeout(10);
    const filter = (name: string, deny: readonly string[]) => ({
      apiVersion: 'example.com/v1',
      kind: 'Filter',
      metadata: { name },
      spec: { allow: ['a', 'b'], deny },
    });
    assert.equal((await post('/apis/example.com/v1/filters', filter('disjoint', ['c']))).code, 201);
    const rejected = await post('/apis/example.com/v1/filters', filter('overlapping', ['b']));
    assert.equal(rejected.code, 422);
    assert.match(rejected.message!, /not disjoint/);
  });

  test('the storage backend passes the conformance suite', async () => {
    const tests = [...examples.backend.files.keys()].filter((file) => file.endsWith('.test.ts'));
    const { code, stdout } = await run('--test', ...tests).ended();
    assert.equal(code, 0, stdout);
    assert.match(stdout, /pass [1-9]\d/);
  });

  test('it compiles', async () => {
    const { code, stdout } = await compiler.ended();
    assert.equal(code, 0, stdout);
  });
});
