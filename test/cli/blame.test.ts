import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';
import { type ClientTarget, startTarget } from '../clients/target.ts';
import { orch } from '../support/program.ts';

interface Printed {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs a command in this process. */
async function run(...args: string[]): Promise<Printed> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    inColor: false,
  };
  return { code: await main(args, terminal), out, err };
}

async function failure(...args: string[]): Promise<string> {
  const { code, out, err } = await run(...args);
  assert.deepEqual([code, out.length, err.length], [1, 0, 1]);
  return err[0]!;
}

for (const dialect of ['orch', 'kubernetes'] as const) {
  describe(`orch blame, in the dialect ${dialect}`, () => {
    let server: EmbeddedServer;
    let folder: string;
    let kubeconfig: string;
    const blame = (...args: string[]) => run('blame', '--kubeconfig', kubeconfig, ...args);

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'orch-blame-'));
      server = await startServer({ dialect });
      kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, server.kubeconfig);
      await apply('alice', 'deployments/web', 'apps/v1', {
        kind: 'Deployment',
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'main', image: 'nginx', args: ['a', 'b'] }] },
          },
        },
      });
      await apply('bob', 'deployments/web', 'apps/v1', {
        kind: 'Deployment',
        spec: { replicas: 2, template: { spec: { containers: [{ name: 'main', workingDir: '/srv' }] } } },
      });
      await apply('carol', 'deployments/web/status', 'apps/v1', {
        kind: 'Deployment',
        status: { observedGeneration: 1 },
      });
    });
    after(async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    async function apply(
      manager: string,
      resource: string,
      apiVersion: string,
      intent: object,
    ): Promise<void> {
      const path = `/apis/${apiVersion}/namespaces/default/${resource}?fieldManager=${manager}`;
      const response = await fetch(`${server.url}${path}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion, metadata: { name: 'web' }, ...intent }),
      });
      assert.ok(response.ok, await response.text());
    }

    /** The successful output, each line as its columns. */
    async function shown(...args: string[]): Promise<string[]> {
      const { code, out, err } = await blame(...args);
      assert.deepEqual([code, err], [0, []]);
      const bars = new Set(out.map((line) => line.indexOf(' |')));
      assert.equal(bars.size, 1, 'the lines are aligned');
      return out.map((line) => line.replace(/ +\d*s? *\|/, ' |').replace(/^([^|]+?) +(\S+) \|/, '$1 $2 |'));
    }

    test('every field is printed with its managers', async () => {
      const lines = await shown('deployment', 'web');
      const spec = lines.slice(
        lines.findIndex((line) => line.endsWith('| spec:')),
        lines.findIndex((line) => line.endsWith('| status:')) + 2,
      );
      assert.deepEqual(
        spec.filter((line) => !line.startsWith(' |')),
        [
          'alice Apply |   replicas: 2',
          '& bob Apply |',
          'alice Apply |   selector:',
          '" |     matchLabels:',
          '" |       app: web',
          'alice Apply |         app: web',
          'alice Apply |       - args:',
          '" |         - a',
          '" |         - b',
          'alice Apply |         image: nginx',
          'alice Apply |         name: main',
          '& bob Apply |',
          'bob Apply |         workingDir: /srv',
          'carol Apply/status |   observedGeneration: 1',
        ],
      );
      assert.ok(lines.some((line) => line.startsWith(' |   uid: ')));
    });

    test('a kind is found by plural, short name, kind and group', async () => {
      const expected = await shown('deployment', 'web');
      for (const kind of ['deployments', 'deploy', 'Deployment', 'deployments.apps', 'deploy.v1.apps']) {
        assert.deepEqual(await shown(kind, 'web'), expected);
      }
      assert.deepEqual(await shown('deploy/web', '-n', 'default'), expected);
      const groups = { orch: 'events.orch.io', kubernetes: 'events.k8s.io' };
      const { err } = await blame(`event.${groups[dialect]}`, 'none');
      assert.match(err[0]!, /^orch: Event "none" not found/);
    });

    test('--output json names every owned field by its path', async () => {
      const { owners, fields, kind } = JSON.parse((await blame('deploy', 'web', '-o', 'json')).out.join(''));
      assert.equal(kind, 'Deployment');
      const named = (path: string) => {
        const found = fields.find((field: { path: string }) => field.path === path);
        return found && [found.owners.map((index: number) => owners[index].manager), found.value];
      };
      assert.deepEqual(named('.spec.replicas'), [['alice', 'bob'], 2]);
      assert.deepEqual(named('.spec.template.spec.containers[name="main"].args'), [['alice'], ['a', 'b']]);
      assert.deepEqual(named('.status.observedGeneration'), [['carol'], 1]);
      assert.equal(named('.metadata.uid'), undefined);
    });

    test('an object without managedFields is reported', async () => {
      const url = `${server.url}/api/v1/namespaces/default/configmaps`;
      const send = (method: string, path: string, type: string, body: string) =>
        fetch(`${url}${path}`, { method, headers: { 'content-type': `application/${type}` }, body });
      await send('POST', '', 'json', '{"metadata":{"name":"bare"}}');
      const reset = await send('PATCH', '/bare', 'merge-patch+json', '{"metadata":{"managedFields":[{}]}}');
      assert.equal(reset.status, 200);
      const { code, out, err } = await blame('cm', 'bare');
      assert.equal(code, 0);
      assert.ok(out.some((line) => line.endsWith('| kind: ConfigMap')));
      assert.match(err[0]!, /^The object has no managedFields/);
    });

    test('fields owned in another version are listed', async () => {
      const scaleTargetRef = { kind: 'Deployment', name: 'web' };
      await apply('alice', 'horizontalpodautoscalers/web', 'autoscaling/v1', {
        kind: 'HorizontalPodAutoscaler',
        spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50, scaleTargetRef },
      });
      const { err } = await blame('hpa', 'web');
      assert.deepEqual(err, [
        'alice (Apply, autoscaling/v1) also owns fields that are not in this version of the object: .spec.targetCPUUtilizationPercentage',
      ]);
      assert.deepEqual((await blame('hpa.v1.autoscaling', 'web')).err, []);
    });

    test('a missing object or kind is an error with a hint', async () => {
      const said = (...args: string[]) => failure('blame', '-s', server.url, ...args);
      assert.equal(
        await said('deploy', 'wbe', '-n', 'shop'),
        'orch: Deployment "wbe" not found in namespace shop (choose another with -n)',
      );
      assert.equal(await said('ns', 'none'), 'orch: Namespace "none" not found');
      assert.equal(
        await said('deplyoment', 'web'),
        'orch: the server has no resource type "deplyoment" (did you mean deployment?)',
      );
      assert.equal(
        await said('qqqqqqqqq', 'web'),
        'orch: the server has no resource type "qqqqqqqqq" (kubectl api-resources lists them)',
      );
    });
  });
}

describe('orch blame, on a server that requires authentication', () => {
  let target: ClientTarget;
  before(async () => {
    target = await startTarget();
  });
  after(() => target.stop());

  test('it uses the client certificate of the kubeconfig, and prints without colors into a pipe', async () => {
    const { code, stdout, stderr } = await orch(
      'blame',
      'ns/default',
      '--kubeconfig',
      target.kubeconfig,
    ).ended();
    assert.deepEqual([code, stderr.includes('orch:')], [0, false]);
    assert.match(stdout, /\| kind: Namespace$/m);
    assert.ok(!stdout.includes('\u001b'));
  });

  test('rejected credentials and an untrusted server are errors', async () => {
    const config = readFileSync(target.kubeconfig, 'utf8');
    const changed = (pattern: RegExp, by: string) => {
      const path = join(target.folder, 'changed');
      writeFileSync(path, config.replace(pattern, by));
      return failure('blame', 'ns/default', '--kubeconfig', path);
    };
    assert.match(
      await changed(/client-certificate-data: .*\n\s+client-key-data: .*/, 'token: wrong'),
      /^orch: the server rejected the credentials \(401 Unauthorized\)/,
    );
    assert.match(
      await changed(/\s+certificate-authority-data: .*/, ''),
      /^orch: https:.* certificate is not trusted \(/,
    );
  });
});

test('an unreachable server is an error', async () => {
  const server = await startServer();
  await server.stop();
  assert.equal(
    await failure('blame', '-s', server.url, 'ns', 'default'),
    `orch: ${server.url}: connection refused; is the server running?`,
  );
});
