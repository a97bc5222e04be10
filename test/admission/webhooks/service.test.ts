import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../../../src/index.ts';
import { testServer } from '../../support/client.ts';
import { namespaceIn, testHooks } from '../../support/webhook-client.ts';

const api = testServer();
/** Not the address of other listeners: a Service has it as cluster IP. */
const address = '127.77.0.7';
const hooks = testHooks(api, ['hook.webhooks.svc'], address);

const configMap = { metadata: { name: 'a' } };
const service = { namespace: 'webhooks', name: 'hook', port: 443 };
const refusing = { response: { allowed: false } };

test('a missing Service, or one without the port, fails the call', async () => {
  await api.post('/api/v1/namespaces', { metadata: { name: 'webhooks' } });
  const path = await api.namespace();
  const clientConfig = { service, caBundle: hooks.webhook.caBundle };
  await hooks.configure('validating', hooks.hook(namespaceIn(path), {}, { clientConfig }));
  const { body } = await api.post(path, configMap);
  assert.match(
    body.message,
    /Post "https:\/\/hook.webhooks.svc:443\/\?timeout=10s": service "hook" not found$/,
  );
  const spec = { ports: [{ port: 8443 }] };
  await api.post('/api/v1/namespaces/webhooks/services', { metadata: { name: 'hook' }, spec });
  const { body: portless } = await api.post(path, configMap);
  assert.match(portless.message, /no service port 443 found for service "hook"$/);
  await api.delete('/api/v1/namespaces/webhooks/services/hook');
});

test('a Service without endpoints is called at its cluster IP', async () => {
  const server = await startServer({ serviceClusterIpRange: ['127.77.0.0/24'] });
  try {
    const send = async (path: string, body: unknown) => {
      const answer = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { code: answer.status, body: (await answer.json()) as { message: string } };
    };
    await send('/api/v1/namespaces', { metadata: { name: 'webhooks' } });
    const { port } = hooks.webhook;
    const made = await send('/api/v1/namespaces/webhooks/services', {
      metadata: { name: 'hook' },
      spec: { clusterIP: address, ports: [{ port }] },
    });
    assert.equal(made.code, 201, made.body.message);
    const clientConfig = {
      service: { ...service, port, path: hooks.webhook.path(refusing) },
      caBundle: hooks.webhook.caBundle,
    };
    const hook = hooks.hook('default', {}, { clientConfig });
    const path = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations';
    await send(path, { metadata: { name: 'a' }, webhooks: [hook] });
    const { body } = await send('/api/v1/namespaces/default/configmaps', configMap);
    assert.match(body.message, /denied the request without explanation$/);
  } finally {
    await server.stop();
  }
});
