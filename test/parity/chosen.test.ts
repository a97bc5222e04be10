import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './case.ts';
import { ChosenValues } from './chosen.ts';
import type { Replay } from './replay.ts';

/** The responses of a server with these bodies, in sequence. */
function chosen(...exchanges: [asked: string, answer: Json][]): ChosenValues {
  const requests = exchanges.map(([asked]) => ({ body: Buffer.from(asked) }));
  return new ChosenValues(
    { requests } as unknown as Replay,
    exchanges.map(([, answer]) => [answer]),
  );
}

const service = (ip: string, nodePort: number): Json => ({
  spec: { clusterIPs: [ip], ports: [{ nodePort }] },
});

test('values that a server chose are masked wherever they occur, consistently', () => {
  const values = chosen(['', service('10.0.0.77', 30_123)], ['10.0.0.77', service('10.0.0.77', 30_123)]);
  assert.equal(
    values.rewriteText('failed to allocate IP 10.0.0.77: taken'),
    'failed to allocate IP ip#1: taken',
  );
  assert.equal(values.rewriteText('80:30123/TCP'), '80:port#1/TCP');
  assert.equal(values.rewritePort(30_123), 'port#1');
  assert.equal(values.rewriteText('10.0.0.7 10.0.0.771 130123'), '10.0.0.7 10.0.0.771 130123');
  const uid = '6f130123-30123a-4000-8000-a30123000001';
  assert.equal(values.rewriteText(uid), uid, 'a part of a uid is no port');
});

test('the network address of a dry run is masked for every range', () => {
  const values = chosen(['', service('10.0.0.0', 32_769)], ['', service('10.99.0.0', 32_769)]);
  assert.equal(values.rewriteText('10.0.0.0 10.99.0.0'), '<network> <network>');
  assert.equal(values.rewritePort(32_769), 32_769);
});

test('values that a client requested are compared as they are', () => {
  const values = chosen(
    ['"10.0.0.5" 30005', service('10.0.0.5', 30_005)],
    ['', service('10.0.0.78', 30_124)],
  );
  assert.equal(values.rewriteText('10.0.0.5 10.0.0.78'), '10.0.0.5 ip#2');
  assert.deepEqual([values.rewritePort(30_005), values.rewritePort(30_124)], [30_005, 'port#2']);
});
