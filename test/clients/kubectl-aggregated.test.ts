import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import {
  AggregatingServer,
  type Backend,
  poll,
  serviceOf,
  startBackend,
} from '../support/aggregated-server.ts';
import { Kubectl, kubectlSkipReason } from './kubectl.ts';

const group = 'things.example.com';
const thing = (name: string) =>
  JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name, namespace: 'default' } });

describe('kubectl and an extension API server', { skip: kubectlSkipReason ?? false }, () => {
  let api: AggregatingServer;
  let backend: Backend;
  let kubectl: Kubectl;
  before(async () => {
    [api, backend] = await Promise.all([AggregatingServer.start({ dialect: 'kubernetes' }), startBackend()]);
    const { secureUrl: url = '', caCertificate, adminCredentials: credentials } = api.server;
    const path = join(api.folder, 'kubeconfig');
    writeFileSync(path, kubeconfig({ url, caCertificate, credentials }));
    const nothing = async () => {};
    kubectl = new Kubectl({ kubeconfig: path, folder: api.folder, restart: nothing, stop: nothing });
    await api.addService('backend', backend.port);
    const spec = { ...serviceOf(backend.port), caBundle: backend.caBundle };
    await api.until(await api.addApiService(group, spec), 'Passed');
  });
  after(async () => {
    await Promise.all([api.close(), backend.stop()]);
  });

  test('get apiservices prints service and availability', async () => {
    const shown = await kubectl.run(['get', 'apiservices', `v1.${group}`, 'v1.apps']);
    assert.match(shown, /^NAME +SERVICE +AVAILABLE +AGE\n/);
    assert.match(shown, /^v1\.things\.example\.com +behind\/backend +True +\S+$/m);
    assert.match(shown, /^v1\.apps +Local +True +\S+$/m);
  });

  test('api-resources lists its resources with short names', async () => {
    await poll('it is listed', async () => {
      const listed = await kubectl.run(['api-resources', '--cached=false', `--api-group=${group}`]);
      return /^things +th +things\.example\.com\/v1 +true +Thing$/m.test(listed) ? true : undefined;
    });
  });

  test('create, get, watch and delete are proxied', async () => {
    const watching = kubectl.follow(['get', 'th', '-n', 'default', '--watch', '-o', 'name']);
    assert.equal(await kubectl.run(['create', '-f', '-'], thing('one')), `thing.${group}/one created\n`);
    await watching.printed(/things?\.things\.example\.com\/one/);
    assert.match(await kubectl.run(['get', 'things']), /^one +/m);
    assert.equal(
      await kubectl.run(['delete', 'thing', 'one', '--wait=true']),
      `thing.${group} "one" deleted\n`,
    );
    assert.match(await kubectl.fail(['get', 'thing', 'one']), /things "one" not found/);
    await watching.stop();
  });

  test('an unavailable server is reported', async () => {
    await backend.become('failing');
    await api.call('PATCH', '/api/v1/namespaces/behind/services/backend', {
      metadata: { annotations: { changed: 'yes' } },
    });
    await api.until(`v1.${group}`, 'FailedDiscoveryCheck');
    assert.match(await kubectl.run(['get', 'apiservices', `v1.${group}`]), /False \(FailedDiscoveryCheck\)/);
    assert.match(await kubectl.fail(['get', 'things']), /service unavailable|unable to handle the request/);
    await kubectl.run(['get', 'namespaces']);
    await backend.become('well');
  });
});
