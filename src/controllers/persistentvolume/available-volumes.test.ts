// Tests of the search for a volume.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { AvailableVolumes, volumeCandidate, volumeRequest } from './available-volumes.ts';

const annotations = { storageClass: 'class', boundByController: 'bound' };
const once = ['ReadWriteOnce'];

function available(sizes: Readonly<Record<string, string>>, spec: object = {}): AvailableVolumes {
  const volumes = new AvailableVolumes();
  for (const [name, storage] of Object.entries(sizes)) volumes.set(candidate(name, storage, spec));
  return volumes;
}
const candidate = (
  name: string,
  storage: string,
  spec: object = {},
  status: object = { phase: 'Available' },
) =>
  volumeCandidate(
    {
      metadata: { name },
      spec: { capacity: { storage }, accessModes: once, ...spec },
      status,
    } as unknown as PersistentVolume,
    annotations,
  );
const request = (storage: string, spec: object = {}) =>
  volumeRequest(
    {
      metadata: {},
      spec: { accessModes: once, resources: { requests: { storage } }, ...spec },
    } as unknown as PersistentVolumeClaim,
    annotations,
  );
const find = (
  volumes: AvailableVolumes,
  storage: string,
  excluded: readonly string[] = [],
  spec: object = {},
) => volumes.smallest(request(storage, spec), once, (name) => excluded.includes(name))?.name;

test('the smallest volume that is large enough is found, of equal ones the first by name', () => {
  const volumes = available({ b: '2Gi', a: '2Gi', tiny: '500Mi', huge: '1Ti' });
  assert.equal(find(volumes, '1Gi'), 'a');
  assert.equal(find(volumes, '1Gi', ['a']), 'b');
  assert.equal(find(volumes, '1Mi'), 'tiny');
  assert.equal(find(volumes, '2Ti'), undefined);
  volumes.delete('a');
  volumes.delete('b');
  assert.equal(find(volumes, '1Gi'), 'huge');
});

test('sizes are compared as quantities, not as texts', () => {
  const volumes = available({ decimal: '1G', binary: '1Gi' });
  assert.equal(find(volumes, '1G'), 'decimal');
  assert.equal(find(volumes, '1000000001'), 'binary');
});

test('a replaced volume is found by its new state only', () => {
  const volumes = available({ v: '1Gi' });
  volumes.set(candidate('v', '1Gi', {}, { phase: 'Released' }));
  assert.equal(find(volumes, '1Gi'), undefined);
  volumes.set(candidate('v', '1Gi', { volumeMode: 'Block' }));
  assert.equal(find(volumes, '1Gi'), undefined);
  assert.equal(find(volumes, '1Gi', [], { volumeMode: 'Block' }), 'v');
});

test('on a node, volumes with further access modes count too, and only those that the node can access', () => {
  const onNode = (name: string) => ({
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
      },
    },
  });
  const volumes = available({ large: '5Gi' }, onNode('a'));
  volumes.set(candidate('shared', '2Gi', { ...onNode('a'), accessModes: ['ReadWriteMany', ...once] }));
  volumes.set(candidate('other', '1Gi', onNode('b')));
  const findOn = (name: string) =>
    volumes.smallestOnNode(request('1Gi'), { name, labels: new Map() }, () => false)?.name;
  assert.equal(findOn('a'), 'shared');
  assert.equal(findOn('b'), 'other');
  assert.equal(findOn('c'), undefined);
});

test('a search is as good as looking at all volumes', () => {
  let state = 7;
  const integer = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const volumes = new AvailableVolumes();
  const sizes = new Map<string, number>();
  for (let i = 0; i < 500; i++) {
    const name = `v-${integer(60)}`;
    if (integer(3) === 0) {
      volumes.delete(name);
      sizes.delete(name);
    } else {
      const size = integer(40) + 1;
      volumes.set(candidate(name, `${size}Gi`));
      sizes.set(name, size);
    }
    const wanted = integer(45) + 1;
    const [best] = [...sizes]
      .filter(([, size]) => size >= wanted)
      .sort(([oneName, one], [otherName, other]) => one - other || (oneName < otherName ? -1 : 1));
    assert.equal(find(volumes, `${wanted}Gi`), best?.[0]);
  }
});
