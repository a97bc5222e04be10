// Sends every request to a real kube-apiserver and to Orch, both with the same audit policy, and compares their audit logs
// line by line.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Undo } from '../servers.ts';
import { type AuditedRequest, lostUpstream, requests, tokenInUrl } from './requests.ts';
import { type AuditedServer, startOrch, startReference } from './servers.ts';

const kit = process.env.ORCH_REFERENCE;
const skip =
  kit === undefined ? 'ORCH_REFERENCE is not set: it names the folder of the reference kit' : false;

type Events = Map<string, string[]>;

/** Values that a server may choose freely, as words. */
function normalized(line: string): string {
  return (
    line
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"/g, '"<time to 6 digits>"')
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"<time>"')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
      .replace(/"resourceVersion":"\d{2,}"/g, '"resourceVersion":"<revision>"')
      .replace(/"continue":"[^"]+"/g, '"continue":"<continue>"')
      .replace(/made-[a-z0-9]{5}/g, 'made-<generated>')
      // The reference adds latency annotations to requests that took more than half a second.
      .replace(/"apiserver\.latency\.k8s\.io\/[^"]*":"[^"]*",?/g, '')
      // Our descriptions of columns differ from upstream's.
      .replace(/"description":"(?:[^"\\]|\\.)*"/g, '"description":"<words>"')
      .replace(/("cells":\["[^"]+",\d+),"[^"]+"\]/g, '$1,"<age>"]')
  );
}

async function play(server: AuditedServer, all: readonly AuditedRequest[]): Promise<Events> {
  for (const request of all) await server.send(request);
  await server.send({ id: 'end', who: 'admin', method: 'GET', path: '/healthz' });
  const events: Events = new Map();
  for (const line of await server.linesUpTo('end')) {
    const { auditID } = JSON.parse(line) as { auditID: string };
    events.set(auditID, [...(events.get(auditID) ?? []), normalized(line)]);
  }
  return events;
}

describe('audit events', { skip }, () => {
  const undo: Undo = [];
  let reference: Events;
  let orch: Events;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'same-events-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const folders = [join(folder, 'reference'), join(folder, 'orch')] as const;
    for (const each of folders) await mkdir(each);
    const all = [...requests, ...lostUpstream, tokenInUrl];
    reference = await play(await startReference(kit!, folders[0], undo), all);
    orch = await play(await startOrch(folders[1], undo), all);
  });

  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  for (const { id } of requests) {
    test(`${id.slice(0, 40)}: the same as the reference's`, () => {
      assert.deepEqual(orch.get(id), reference.get(id));
    });
  }

  test('a token in a URL is redacted, and everything else equals the reference', () => {
    const hidden = reference.get(tokenInUrl.id)?.map((line) => line.replace('token=abc', 'token=…'));
    assert.deepEqual(orch.get(tokenInUrl.id), hidden);
  });

  for (const { id } of lostUpstream) {
    test(`${id}: recorded, though the reference loses it`, () => {
      assert.deepEqual(reference.get(id)?.length, 1);
      assert.deepEqual(orch.get(id)?.length, 2);
    });
  }
});
