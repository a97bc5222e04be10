import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AggregatingServer,
  type Backend,
  poll,
  serviceOf,
  startBackend,
} from '../support/aggregated-server.ts';

let api: AggregatingServer;
let backend: Backend;
before(async () => {
  [api, backend] = await Promise.all([AggregatingServer.start(), startBackend()]);
});
after(async () => {
  await Promise.all([api.close(), backend.stop()]);
});

test('the condition Available names each problem of an extension API server', async () => {
  const name = await api.addApiService('waits.example.com', serviceOf(443, 'clusterip'));
  const { message } = await api.until(name, 'ServiceNotFound');
  assert.equal(message, 'service/clusterip in "behind" is not present');
  await api.call('POST', '/api/v1/namespaces', { metadata: { name: 'behind' } });
  const services = '/api/v1/namespaces/behind/services';
  await api.call('POST', services, {
    metadata: { name: 'clusterip' },
    spec: { ports: [{ port: 444, name: 'api' }] },
  });
  const portless = await api.until(name, 'ServicePortError');
  assert.equal(portless.message, 'service/clusterip in "behind" is not listening on port 443');
  await api.call('PATCH', `${services}/clusterip`, { spec: { ports: [{ port: 443, name: 'api' }] } });
  const alone = await api.until(name, 'EndpointsNotFound');
  assert.equal(alone.message, 'cannot find endpoints for service/clusterip in "behind"');
  const endpoints = '/api/v1/namespaces/behind/endpoints';
  await api.call('POST', endpoints, { metadata: { name: 'clusterip' } });
  const empty = await api.until(name, 'MissingEndpoints');
  assert.equal(
    empty.message,
    'endpoints for service/clusterip in "behind" have no addresses with port name "api"',
  );
  assert.equal(empty.lastTransitionTime, alone.lastTransitionTime);
});

test('a server is Available while it responds', async () => {
  await api.addService('backend', backend.port);
  const spec = { ...serviceOf(backend.port), caBundle: backend.caBundle };
  const name = await api.addApiService('comes.example.com', spec);
  const passed = await api.until(name, 'Passed');
  assert.deepEqual([passed.status, passed.message], ['True', 'all checks passed']);
  await backend.become('failing');
  // Every object that leads to the server triggers a new check.
  const touch = (value: string) =>
    api.call('PATCH', '/api/v1/namespaces/behind/services/backend', { metadata: { annotations: { value } } });
  await touch('a');
  const failed = await api.until(name, 'FailedDiscoveryCheck');
  const url = `https://127.77.3.7:${backend.port}/apis/comes.example.com/v1`;
  assert.equal(failed.message, `failing or missing response from ${url}: bad status from ${url}: 500`);
  assert.equal((await api.call('GET', '/apis/comes.example.com/v1/things')).text, 'service unavailable\n');
  await backend.become('well');
  // The check is repeated periodically.
  assert.equal((await api.until(name, 'Passed')).status, 'True');
  assert.equal((await api.call('GET', '/apis/comes.example.com/v1/things')).code, 200);
});

test('an unresponsive server delays no other check', async () => {
  await api.addService('backend', backend.port);
  const silent = await startBackend('127.77.3.8');
  try {
    await silent.become('silent');
    const services = '/api/v1/namespaces/behind/services';
    const ports = [{ port: silent.port }];
    await api.call('POST', services, {
      metadata: { name: 'silent' },
      spec: { type: 'NodePort', clusterIP: '127.77.3.8', ports },
    });
    const spec = { ...serviceOf(silent.port, 'silent'), insecureSkipTLSVerify: true };
    // Sequential checks would exceed the timeout of `until`.
    const names = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.addApiService(`silent${i}.example.com`, spec)),
    );
    const other = await api.addApiService('brisk.example.com', {
      ...serviceOf(backend.port),
      caBundle: backend.caBundle,
    });
    await api.until(other, 'Passed');
    assert.equal((await api.call('GET', '/apis')).code, 200);
    assert.equal((await api.call('GET', '/apis/brisk.example.com/v1/things')).code, 200);
    for (const name of names) {
      const { message } = await api.until(name, 'FailedDiscoveryCheck');
      assert.match(
        message,
        /net\/http: request canceled \(Client\.Timeout exceeded while awaiting headers\)$/,
      );
    }
  } finally {
    await silent.stop();
  }
});

test('requests are proxied over HTTPS only, and a server without TLS is unavailable', async () => {
  const { createServer } = await import('node:net');
  const plain = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
  await new Promise<void>((resolve) => plain.listen(0, '127.77.3.9', resolve));
  try {
    const { port } = plain.address() as { port: number };
    await api.call('POST', '/api/v1/namespaces/behind/services', {
      metadata: { name: 'plain' },
      spec: { type: 'NodePort', clusterIP: '127.77.3.9', ports: [{ port }] },
    });
    const name = await api.addApiService('plain.example.com', serviceOf(port, 'plain'));
    const { message } = await api.until(name, 'FailedDiscoveryCheck');
    assert.match(message, /http: server gave HTTP response to HTTPS client$/);
  } finally {
    plain.close();
  }
});

test('a changed service of an APIService is checked again', async () => {
  const spec = { ...serviceOf(1, 'backend'), caBundle: backend.caBundle };
  const name = await api.addApiService('moves.example.com', spec);
  await api.until(name, 'FailedDiscoveryCheck');
  await api.call('PATCH', `/apis/apiregistration.orch.io/v1/apiservices/${name}`, {
    spec: { service: { port: backend.port } },
  });
  await api.until(name, 'Passed');
  await poll('it is served', async () =>
    (await api.call('GET', '/apis/moves.example.com/v1/things')).code === 200 ? true : undefined,
  );
});
