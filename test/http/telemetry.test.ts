import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { before, test } from 'node:test';
import { builtinKinds } from '../../src/apis/index.ts';
import { MovableClock } from '../../src/base/clock.ts';
import { dialects } from '../../src/dialect/index.ts';
import { addMetrics } from '../../src/http/endpoints/metrics.ts';
import { AccessLog } from '../../src/http/telemetry/access-log.ts';
import { RequestMetrics } from '../../src/http/telemetry/request-metrics.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { Registry } from '../../src/kind/registry.ts';
import { StorageMetrics } from '../../src/server/metrics/storage-metrics.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createServerMetrics } from '../../src/telemetry/metrics.ts';
import { addProcessMetrics } from '../../src/telemetry/process-metrics.ts';
import { jsonType, sendJsonBytes } from '../../src/transport/response.ts';
import { openWatchStream } from '../../src/transport/watch-response.ts';
import { configMapPath, HttpFixture, object } from '../support/http.ts';

const dialect = dialects.orch;
const registry = new Registry(builtinKinds({ dialect, features: everyFeature }), dialect);
const meters = createServerMetrics();
addProcessMetrics(meters);
const lines: string[] = [];
const logger = createLogger({ verbosity: 3, destination: { write: (line) => void lines.push(line) } });
const http = new HttpFixture({ observers: [new RequestMetrics(meters, registry), new AccessLog(logger)] });

http.handle = async (exchange) => {
  if (exchange.info.verb !== 'watch') return sendJsonBytes(exchange, 200, object, false);
  const stream = await openWatchStream(exchange, jsonType);
  await once(exchange.signal, 'abort');
  stream.close('complete');
};

before(async () => {
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  const storage = new StorageMetrics(meters, store, () => registry.resources, clock);
  const sliMetrics = createServerMetrics();
  addMetrics(http.table, async (page) => {
    if (page === 'slis') return sliMetrics.render();
    await storage.refresh();
    return meters.render();
  });
});

test('every metric on /metrics has a stability level', async () => {
  for (const path of ['/metrics', '/metrics/slis']) {
    const { text } = await http.ask(path);
    const helps = text.split('\n').filter((line) => line.startsWith('# HELP '));
    for (const help of helps) assert.match(help, /^# HELP \w+ \[(ALPHA|BETA|STABLE)\] /);
    assert.equal(path === '/metrics', /^# HELP process_start_time_seconds /m.test(text));
  }
});

const metrics = async () => (await http.ask('/metrics')).text;

test("requests are counted with upstream's labels", async () => {
  await http.ask(configMapPath);
  await http.ask(configMapPath, { token: 'alice-token' });
  await http.ask('/api/v1/namespaces/default/configmaps?dryRun=All', { method: 'POST' });
  await http.ask('/api/v1/configmaps');
  const text = await metrics();
  const labels = (code: string, dryRun: string, scope: string, verb: string) =>
    `apiserver_request_total{code="${code}",component="apiserver",dry_run="${dryRun}",group="",resource="configmaps",scope="${scope}",subresource="",verb="${verb}",version="v1"}`;
  for (const [sample, count] of [
    [labels('200', '', 'resource', 'GET'), 1],
    [labels('403', '', 'resource', 'GET'), 1],
    [labels('200', 'All', 'resource', 'POST'), 1],
    [labels('200', '', 'cluster', 'LIST'), 1],
  ]) {
    assert.ok(text.includes(`${sample} ${count}\n`), `${sample} is not ${count}`);
  }
  assert.match(text, /^apiserver_request_duration_seconds_bucket\{.*verb="GET".*,le="0\.005"\} \d$/m);
  assert.match(text, /^apiserver_response_sizes_count\{.*verb="LIST".*\} 1$/m);
  assert.match(text, /^apiserver_current_inflight_requests\{request_kind="readOnly"\} 1$/m);
});

test('unknown resources and methods do not create label values', async () => {
  for (const path of ['/api/v1/madeup', '/apis/made.up/v1/x', '/api/v1/namespaces/x/madeup/y/z', '/madeup']) {
    await http.ask(path);
  }
  await http.ask(configMapPath, { method: 'OPTIONS' });
  assert.doesNotMatch(await metrics(), /madeup|made\.up|OPTIONS|verb=""/);
});

test('a watch is counted as long-running while it is open, and with code 0 when it ends', async () => {
  const request = get({
    host: '127.0.0.1',
    port: http.securePort,
    path: '/api/v1/namespaces/default/configmaps?watch=1',
    agent: false,
    ca: http.pki.ca.certificate,
    headers: { authorization: 'Bearer admin-token' },
  });
  request.on('error', () => {});
  await once(request, 'response');
  assert.match(
    await metrics(),
    /^apiserver_longrunning_requests\{.*resource="configmaps".*verb="WATCH".*\} 1$/m,
  );
  request.destroy();
  let text = '';
  while (!/^apiserver_longrunning_requests\{.*verb="WATCH".*\} 0$/m.test(text)) text = await metrics();
  assert.match(text, /^apiserver_request_total\{code="0",.*verb="WATCH".*\} 1$/m);
});

test('storage and process metrics are reported', async () => {
  const text = await metrics();
  assert.match(text, /^apiserver_storage_objects\{resource="leases\.coordination\.orch\.io"\} 0$/m);
  assert.match(text, /^process_resident_memory_bytes \d{7,}$/m);
  assert.match(text, /^process_start_time_seconds \d/m);
  assert.equal((await http.ask('/metrics', { token: 'alice-token' })).code, 403);
});

test('each request is one log line without credentials', async () => {
  lines.length = 0;
  await http.ask(`${configMapPath}?token=s3cret`, {
    token: 'alice-token',
    headers: { 'user-agent': 'me/1' },
  });
  const [line] = lines;
  const { verb, method, uri, user, code, agent, auditId } = JSON.parse(line ?? '');
  assert.deepEqual(
    { verb, method, uri, user, code, agent },
    { verb: 'get', method: 'GET', uri: `${configMapPath}?token=…`, user: 'alice', code: 403, agent: 'me/1' },
  );
  assert.match(auditId, /^[0-9a-f-]{36}$/);
  assert.doesNotMatch(lines.join(), /alice-token|s3cret/);
});
