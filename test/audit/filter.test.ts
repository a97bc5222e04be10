import assert from 'node:assert/strict';
import { request as ask } from 'node:http';
import { test } from 'node:test';
import { Auditor } from '../../src/audit/auditor.ts';
import type { AuditBackend } from '../../src/audit/backend.ts';
import { Callers } from '../../src/audit/caller.ts';
import { JsonEvents } from '../../src/audit/json-event.ts';
import { MicroTimeFormatter } from '../../src/audit/micro-time.ts';
import { PolicyRuleEvaluator } from '../../src/audit/policy.ts';
import { readPolicy } from '../../src/audit/policy-file.ts';
import { systemClock } from '../../src/base/clock.ts';
import { orch } from '../../src/dialect/index.ts';
import { createServerMetrics } from '../../src/telemetry/metrics.ts';
import { sendText } from '../../src/transport/response.ts';
import type { AuditEvent } from '../support/audit.ts';
import { configMapPath, HttpFixture } from '../support/http.ts';

/** A backend that records events, and signals when an event of a stage was written. */
class Memory implements AuditBackend {
  readonly events: AuditEvent[] = [];
  readonly #waiting: { stage: string; resolve: () => void }[] = [];

  write(lines: string): void {
    for (const line of lines.trimEnd().split('\n')) {
      const event = JSON.parse(line) as AuditEvent;
      this.events.push(event);
      for (const { stage, resolve } of this.#waiting) if (stage === event.stage) resolve();
    }
  }

  writeNow(line: string): void {
    this.write(line);
  }

  async close(): Promise<void> {}

  reached(stage: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ stage, resolve }));
  }

  of(id: string): AuditEvent[] {
    return this.events.filter(({ auditID }) => auditID === id);
  }
}

const policy = 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{level: Metadata}]';
const memory = new Memory();
const callers = new Callers();
const auditor = new Auditor({
  policy: new PolicyRuleEvaluator(readPolicy(Buffer.from(policy), 'policy', orch)),
  callers,
  format: new JsonEvents(orch, callers, new MicroTimeFormatter()),
  backend: memory,
  strict: false,
  clock: systemClock,
  metrics: createServerMetrics(),
  maxEventBytes: Number.POSITIVE_INFINITY,
  onLost: () => assert.fail('nothing is lost'),
});
const http = new HttpFixture({ auditor });

test('an internal error has the stage Panic instead of ResponseComplete', async () => {
  http.handle = async () => {
    throw new TypeError('x is not a function');
  };
  const { code } = await http.ask(configMapPath, { headers: { 'audit-id': 'panic' } });
  assert.equal(code, 500);
  const [received, panic, ...more] = memory.of('panic');
  assert.equal(received!.stage, 'RequestReceived');
  assert.equal(panic!.stage, 'Panic');
  assert.deepEqual(panic!.responseStatus, {
    metadata: {},
    status: 'Failure',
    message: "APIServer panic'd: x is not a function",
    reason: 'InternalError',
    code: 500,
  });
  assert.deepEqual(more, []);
});

test('annotations are sorted by key, and the first value of a key stays', async () => {
  http.handle = (exchange) => {
    exchange.audit?.annotate('z.example/last', '<1>');
    exchange.audit?.annotate('a.example/first', '2');
    exchange.audit?.annotate('z.example/last', '3');
    sendText(exchange, 200, 'done\n');
  };
  await http.ask(configMapPath, { headers: { 'audit-id': 'notes' } });
  assert.deepEqual(Object.entries(memory.of('notes')[1]!.annotations!), [
    ['a.example/first', '2'],
    ['authorization.orch.io/decision', 'allow'],
    ['authorization.orch.io/reason', ''],
    ['z.example/last', '<1>'],
  ]);
});

test('a timed-out request has the code 504', async () => {
  http.handle = (exchange) =>
    new Promise((resolve) => exchange.signal.addEventListener('abort', () => resolve()));
  const answer = http.ask(`${configMapPath}?timeout=1ms`, { headers: { 'audit-id': 'late' } });
  assert.equal((await answer).code, 504);
  assert.equal(memory.of('late')[1]!.responseStatus!.code, 504);
});

test('a request whose client disconnected has ResponseComplete', async () => {
  let working = () => {};
  const isWorking = new Promise<void>((resolve) => {
    working = resolve;
  });
  http.handle = (exchange) =>
    new Promise((resolve) => {
      exchange.signal.addEventListener('abort', () => resolve());
      working();
    });
  const complete = memory.reached('ResponseComplete');
  const gone = ask({
    port: http.plainPort,
    host: '127.0.0.1',
    path: configMapPath,
    headers: { 'audit-id': 'gone' },
  });
  gone.on('error', () => {});
  gone.end();
  await isWorking;
  gone.destroy();
  await complete;
  assert.equal(memory.of('gone').at(-1)!.responseStatus!.message, 'Connection closed early');
});
