import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servedKinds } from '../apis/served-kinds.ts';
import { systemClock } from '../base/clock.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { encodeDraft } from '../kind/storage/codec.ts';
import type { UpdateContext } from '../registry/verb-context.ts';
import { defaultOptions } from '../server/options.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { ServiceResolver } from './service-resolver.ts';

const { dialect, registry } = servedKinds(defaultOptions);
const store = new MemoryStore({ clock: systemClock });
const api = { dialect, registry, store, clock: systemClock, eventTtl: 0 } as unknown as UpdateContext;

async function put(group: string, plural: string, name: string, parts: object): Promise<void> {
  const resource = registry.kind(group, 'v1', plural);
  const { apiVersion, kind, prefix } = resource;
  const object = { apiVersion, kind, metadata: { name, namespace: 'a' }, ...parts } as ApiObject;
  const key = resource.key('a', name);
  await store.commit({ prefix, key, expectedRevision: 0, draft: await encodeDraft(api, resource, object) });
}

test('a Service resolves to a ready endpoint and the port of its name, with the server name of the Service', async () => {
  const addresses = new ServiceResolver(api);
  const ports = [{ name: 'https', port: 443 }];
  await put('', 'services', 'hook', { spec: { clusterIP: '10.0.0.9', ports }, status: {} });
  const asked = { namespace: 'a', name: 'hook', path: '/x' };
  const named = { url: 'https://hook.a.svc:443/x', authority: 'hook.a.svc:443', path: '/x' };
  const expected = { ...named, serverName: 'hook.a.svc' };
  assert.deepEqual(addresses.resolve(asked), { ...expected, host: '10.0.0.9', port: 443 });
  await put(dialect.groupName('discovery'), 'endpointslices', 'hook-1', {
    metadata: { name: 'hook-1', namespace: 'a', labels: { [dialect.labels.serviceName]: 'hook' } },
    addressType: 'IPv4',
    ports: [
      { name: 'other', port: 1 },
      { name: 'https', port: 8443 },
    ],
    endpoints: [
      { addresses: ['192.0.2.1'], conditions: { ready: false } },
      { addresses: ['192.0.2.2'], conditions: { ready: true } },
    ],
  });
  assert.deepEqual(addresses.resolve(asked), { ...expected, host: '192.0.2.2', port: 8443 });
});
