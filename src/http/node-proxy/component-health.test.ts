// Health probes of control plane components.
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { createCA } from '../../pki/issue.ts';
import { componentHealth } from './component-health.ts';

test('a component is healthy if its endpoint says so, and unhealthy if the connection is refused', async () => {
  const { certificate, key } = await createCA('component', Date.now());
  let code = 200;
  const server = createServer({ cert: certificate, key }, ({ url }, response) => {
    response.writeHead(code).end(url === '/healthz' ? `answered ${code}` : 'another path');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.deepEqual(await componentHealth(port, systemClock), {
    healthy: true,
    message: 'answered 200',
  });
  code = 500;
  assert.deepEqual(await componentHealth(port, systemClock), {
    healthy: false,
    message: 'answered 500',
  });
  await new Promise((resolve) => server.close(resolve));
  assert.deepEqual(await componentHealth(port, systemClock), {
    healthy: false,
    message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  });
});
