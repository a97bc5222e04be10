/** Which certificates of webhooks are trusted: by the rules of Go, which the tools that create such certificates follow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../support/client.ts';
import { namespaceIn, testHooks } from '../../support/webhook-client.ts';

const api = testServer();
const hooks = testHooks(api);

/** Creates an object in a namespace with such a webhook. */
async function createWith(kind: 'validating' | 'mutating', clientConfig: { url: string; caBundle: string }) {
  const path = await api.namespace();
  await hooks.configure(kind, hooks.hook(namespaceIn(path), {}, { clientConfig }));
  return api.post(path, { metadata: { name: 'a' } });
}

for (const kind of ['validating', 'mutating'] as const) {
  test(`a ${kind} webhook is trusted by its own certificate in caBundle, without the CA`, async () => {
    const { certificate } = hooks.webhook;
    const url = hooks.webhook.url({}, `own-${kind}`);
    const { code, text } = await createWith(kind, { url, caBundle: certificate });
    assert.equal(code, 201, text);
    assert.equal((await hooks.webhook.received({}, `own-${kind}`)).length, 1);
  });

  test(`a ${kind} webhook is trusted by a self-signed certificate that is no CA`, async () => {
    const { port, caBundle } = hooks.webhook.selfSigned;
    const { code, text } = await createWith(kind, { url: `https://127.0.0.1:${port}/`, caBundle });
    assert.equal(code, 201, text);
  });
}

test('a leaf certificate in caBundle trusts neither another host nor other certificates of the same CA', async () => {
  const { port } = hooks.webhook.selfSigned;
  const { certificate, misnamedPort } = hooks.webhook;
  for (const other of [port, misnamedPort]) {
    const { code, body } = await createWith('validating', {
      url: `https://127.0.0.1:${other}/`,
      caBundle: certificate,
    });
    assert.equal(code, 500);
    assert.match(body.message, /x509: certificate signed by unknown authority$/);
  }
});

test('the common name is not used as host name', async () => {
  const { namelessPort, caBundle } = hooks.webhook;
  const { code, body } = await createWith('validating', {
    url: `https://localhost:${namelessPort}/`,
    caBundle,
  });
  assert.equal(code, 500);
  assert.match(body.message, /x509: certificate relies on legacy Common Name field, use SANs instead$/);
});
