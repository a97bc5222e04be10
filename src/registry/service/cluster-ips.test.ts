import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '../../base/cidr.ts';
import { MovableClock } from '../../base/clock.ts';
import { formatIp, type Ip, parseIp } from '../../base/ip-address.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import { ClusterIpAllocator } from './cluster-ips.ts';

/** Addresses that are written down as the server does, without the rest of it. */
class Notes {
  readonly store = new MemoryStore({ clock: new MovableClock() });
  readonly claim = async (ip: Ip): Promise<boolean> => {
    await this.write('ipaddresses', formatIp(ip), {});
    return true;
  };

  async write(prefix: string, name: string, object: object | null): Promise<void> {
    const text = JSON.stringify({ metadata: { resourceVersion: '' }, ...object });
    const revisionOffset = text.indexOf('"resourceVersion":""') + '"resourceVersion":"'.length;
    const draft = object && {
      json: Buffer.from(text),
      revisionOffset,
      listItemOffset: 1,
      labels: '',
      selectableFields: '',
      schemaFingerprint: '',
    };
    await this.store.commit({ prefix, key: `${prefix}/${name}`, draft });
  }

  async range(name: string, cidr: string, status?: object): Promise<void> {
    await this.write('servicecidrs', name, { spec: { cidrs: [cidr] }, ...(status && { status }) });
  }

  ips(...ranges: string[]): ClusterIpAllocator {
    return new ClusterIpAllocator(
      this.store,
      ranges.map((range) => parseCidr(range)!),
    );
  }
}

const ip = (text: string) => parseIp(text)!;

test('every address of a CIDR is allocated once, the low ones last, without network and broadcast address', async () => {
  const notes = new Notes();
  await notes.range('a', '10.0.0.0/24');
  const ips = notes.ips('10.0.0.0/24');
  const given: number[] = [];
  for (let i = 0; i < 254; i++)
    given.push(Number((await ips.allocateNext('IPv4', notes.claim)).value & 255n));
  assert.deepEqual(
    [...given].sort((a, b) => a - b),
    Array.from({ length: 254 }, (_, i) => i + 1),
  );
  assert.ok(given.slice(0, 238).every((last) => last > 16));
  await assert.rejects(ips.allocateNext('IPv4', notes.claim), /range is full/);
  await notes.write('ipaddresses', '10.0.0.77', null);
  assert.equal(formatIp(await ips.allocateNext('IPv4', notes.claim)), '10.0.0.77');
});

test('a requested address must be in a CIDR and free', async () => {
  const notes = new Notes();
  await notes.range('a', '10.0.0.0/24');
  const ips = notes.ips('10.0.0.0/24');
  await ips.allocate(ip('10.0.0.5'), notes.claim);
  await assert.rejects(ips.allocate(ip('10.0.0.5'), notes.claim), /provided IP is already allocated/);
  for (const text of ['10.0.0.0', '10.0.0.255', '10.0.1.1', 'fd00::1']) {
    await assert.rejects(ips.allocate(ip(text), notes.claim), /is not in the valid range/, text);
  }
});

test('a second ServiceCIDR adds addresses while it is ready', async () => {
  const notes = new Notes();
  await notes.range('a', '10.0.0.0/30');
  const ips = notes.ips('10.0.0.0/30');
  await ips.allocateNext('IPv4', notes.claim);
  await ips.allocateNext('IPv4', notes.claim);
  await assert.rejects(ips.allocateNext('IPv4', notes.claim), /range is full/);
  const condition = (status: string) => ({ conditions: [{ type: 'Ready', status }] });
  await notes.range('b', '10.9.0.0/30', condition('False'));
  await assert.rejects(ips.allocateNext('IPv4', notes.claim), /range is full/);
  await notes.range('b', '10.9.0.0/30', condition('True'));
  assert.match(formatIp(await ips.allocateNext('IPv4', notes.claim)), /^10\.9\.0\.[12]$/);
  await notes.write('servicecidrs', 'b', null);
  await assert.rejects(ips.allocateNext('IPv4', notes.claim), /range is full/);
});

test('CIDRs that are too small allocate no address', async () => {
  for (const range of ['10.0.0.0/31', '10.0.0.0/32', 'fd00::/128']) {
    const notes = new Notes();
    await notes.range('a', range);
    const [first] = notes.ips(range).families;
    await assert.rejects(notes.ips(range).allocateNext(first!, notes.claim), /range is full/, range);
  }
});

test('a huge CIDR costs no time or memory', async () => {
  const notes = new Notes();
  await notes.range('a', 'fd00::/64');
  const ips = notes.ips('fd00::/64');
  const given = new Set<string>();
  for (let i = 0; i < 100; i++) given.add(formatIp(await ips.allocateNext('IPv6', notes.claim)));
  assert.equal(given.size, 100);
});

test('concurrent writes get different addresses', async () => {
  const notes = new Notes();
  await notes.range('a', '10.0.0.0/24');
  const ips = notes.ips('10.0.0.0/24');
  const given = await Promise.all(Array.from({ length: 200 }, () => ips.allocateNext('IPv4', notes.claim)));
  assert.equal(new Set(given.map(formatIp)).size, 200);
});

test('an address that another server allocated first is skipped', async () => {
  const notes = new Notes();
  await notes.range('a', '10.0.0.0/30');
  const ips = notes.ips('10.0.0.0/30');
  const refused: string[] = [];
  const found = await ips.allocateNext('IPv4', async (address) => {
    if (refused.length > 0) return true;
    refused.push(formatIp(address));
    await notes.claim(address);
    return false;
  });
  assert.notEqual(formatIp(found), refused[0]);
});
