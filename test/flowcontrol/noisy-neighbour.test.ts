import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { orch } from '../../src/dialect/index.ts';
import { FlowControl, oneSeat } from '../../src/flowcontrol/flow-control.ts';
import { FlowMetrics } from '../../src/flowcontrol/flow-metrics.ts';
import type { RequestInfo } from '../../src/request/request-info.ts';
import type { User } from '../../src/request/user.ts';
import { createServerMetrics } from '../../src/telemetry/metrics.ts';
import { sendText } from '../../src/transport/response.ts';
import { configMapPath, HttpFixture } from '../support/http.ts';

/** The ratio of concurrent requests of the noisy client to those of the other. */
const times = 20;
const rounds = 15;
/** A request takes this many turns of the event loop. */
const turns = 20;

const flow = new FlowControl({
  clock: systemClock,
  dialect: orch,
  metrics: new FlowMetrics(createServerMetrics()),
  workEstimator: { estimate: () => oneSeat },
  seats: 1,
  requestTimeoutMs: 60_000,
});
// A priority level with one seat for named users.
flow.configure(
  [
    {
      apiVersion: '',
      kind: '',
      metadata: { name: 'everybody', uid: 'everybody' },
      spec: {
        priorityLevelConfiguration: { name: 'shared' },
        matchingPrecedence: 1,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: '*' } }],
            resourceRules: [
              { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
            ],
          },
        ],
      },
      status: {},
    },
  ],
  [
    {
      apiVersion: '',
      kind: '',
      metadata: { name: 'shared', uid: 'shared' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 10,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 4, queueLengthLimit: 50 } },
        },
      },
      status: {},
    },
  ],
);

/** Called when a request has reached the server, before it is dispatched. */
let onArrival = (_user: string) => {};
const authorizer = {
  authorize: (_: User, { verb, name }: RequestInfo) => {
    if (verb === 'impersonate') onArrival(name);
    return { allowed: true, reason: '' };
  },
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};
const fair = new HttpFixture({ flowController: flow, authorizer });
const unfair = new HttpFixture({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1, authorizer });

const pass = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

/** Retries until the request is served: a rejected client retries a little later. */
async function ask(http: HttpFixture, user: string): Promise<void> {
  const request = { plain: true, headers: { 'impersonate-user': user } };
  while ((await http.ask(configMapPath, request)).code === 429) await pass(Math.random() * turns);
}

/** How many requests of the noisy client are served while the other waits for one of its own, on average. */
async function waiting(http: HttpFixture): Promise<number> {
  let done = 0;
  /** The number of served requests when the other client arrived. */
  let before: number | undefined;
  let waited = 0;
  onArrival = (user) => {
    if (user === 'quiet') before ??= done;
  };
  http.handle = async (exchange) => {
    if (exchange.user.name === 'quiet') waited += (done - before!) / rounds;
    await pass(turns);
    if (exchange.user.name === 'noisy') done++;
    sendText(exchange, 200, 'done');
  };
  let stopped = false;
  const noise = Array.from({ length: times }, async () => {
    while (!stopped) await ask(http, 'noisy');
  });
  while (done < times) await new Promise(setImmediate);
  for (let round = 0; round < rounds; round++) {
    before = undefined;
    await ask(http, 'quiet');
  }
  stopped = true;
  await Promise.all(noise);
  return waited;
}

test('a client with 20 times the load cannot delay another, as it does without priority and fairness', async () => {
  const [withFairness, without] = [await waiting(fair), await waiting(unfair)];
  const told = `${withFairness} requests of the noisy one came first with fairness, ${without} without`;
  // One request in execution, and one or two from each of the few queues of the noisy client.
  assert.ok(withFairness <= 8, told);
  assert.ok(without > 2 * withFairness, told);
});
