import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { Volume } from './volume.ts';
import { validateVolumes } from './volume-validation.ts';
import { volumeWarnings } from './volume-warnings.ts';

type Json = Parameters<typeof Volume.decode>[0];

/** Decodes and defaults volumes; returns them with their validation errors. */
function tryVolumes(volumes: unknown[], podName?: string) {
  const read = volumes.map((json) => {
    const { object } = Volume.decode(json as Json);
    Volume.applyDefaults?.(object);
    return object;
  });
  const { errors, sources } = validateVolumes(read, 'volumes', {
    dialect: kubernetes,
    features: everyFeature,
    ...(podName !== undefined && { podName }),
  });
  return {
    volumes: read,
    problems: errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`),
    usable: [...sources.keys()],
  };
}
const tryOne = (source: object) => tryVolumes([{ name: 'v', ...source }]);
const filledIn = (source: object) => {
  const { problems, volumes } = tryOne(source);
  assert.deepEqual(problems, []);
  const { name: _, ...rest } = volumes[0]!;
  return JSON.parse(JSON.stringify(rest));
};
const problem = (source: object) => tryOne(source).problems.map((text) => text.replace('volumes[0].', ''));
const accepted = (...sources: object[]) => {
  for (const source of sources) assert.deepEqual(tryOne(source).problems, [], JSON.stringify(source));
};

test('a volume is named, by a DNS label that no other has', () => {
  assert.deepEqual(tryVolumes([{ emptyDir: {} }]).problems, ['volumes[0].name: Required value']);
  assert.match(tryVolumes([{ name: 'a.b' }]).problems[0]!, /must not contain dots/);
  const { problems, usable } = tryVolumes([{ name: 'a' }, { name: 'a' }, { name: 'b', secret: {} }]);
  assert.deepEqual(problems, [
    'volumes[1].name: Duplicate value: "a"',
    'volumes[2].secret.secretName: Required value',
  ]);
  assert.deepEqual(usable, ['a']);
});

test('a volume without a source is an empty directory, and with two it is refused', () => {
  assert.deepEqual(filledIn({}), { emptyDir: {} });
  assert.deepEqual(problem({ emptyDir: {}, hostPath: {} }), [
    'hostPath: Forbidden: may not specify more than 1 volume type',
  ]);
});

test('configMap: name, optional, defaultMode (0644 by default), items', () => {
  assert.deepEqual(filledIn({ configMap: { name: 'c' } }), { configMap: { name: 'c', defaultMode: 0o644 } });
  const full = { name: 'c', optional: true, defaultMode: 0, items: [{ key: 'k', path: 'p', mode: 511 }] };
  assert.deepEqual(filledIn({ configMap: full }), { configMap: full });
  assert.deepEqual(problem({ configMap: {} }), ['configMap.name: Required value']);
});

test('defaultMode and mode are 0 to 511', () => {
  const outside = 'must be a number between 0 and 0777 (octal), both inclusive';
  for (const mode of [-1, 512]) {
    assert.deepEqual(problem({ secret: { secretName: 's', defaultMode: mode } }), [
      `secret.defaultMode: Invalid value: ${mode}: ${outside}`,
    ]);
    assert.deepEqual(problem({ configMap: { name: 'c', items: [{ key: 'k', path: 'p', mode }] } }), [
      `configMap.items[0].mode: Invalid value: ${mode}: ${outside}`,
    ]);
    assert.deepEqual(problem({ projected: { defaultMode: mode } }), [
      `projected.defaultMode: Invalid value: ${mode}: ${outside}`,
    ]);
    assert.deepEqual(problem({ downwardAPI: { defaultMode: mode } }), [
      `downwardAPI.defaultMode: Invalid value: ${mode}: ${outside}`,
    ]);
  }
  accepted({ secret: { secretName: 's', defaultMode: 0 } }, { downwardAPI: { defaultMode: 511 } });
});

test('secret: defaultMode (0644 by default), items', () => {
  assert.deepEqual(filledIn({ secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } }), {
    secret: { secretName: 's', items: [{ key: 'k', path: 'p' }], defaultMode: 420 },
  });
  assert.deepEqual(problem({ secret: {} }), ['secret.secretName: Required value']);
});

test('KeyToPath: paths are relative, and neither contain .. nor start with it', () => {
  const of = (path: string) => problem({ configMap: { name: 'c', items: [{ key: 'k', path }] } });
  const itemPath = 'configMap.items[0].path';
  assert.deepEqual(of('/abs'), [`${itemPath}: Invalid value: "/abs": must be a relative path`]);
  assert.deepEqual(of('a/../b'), [`${itemPath}: Invalid value: "a/../b": must not contain '..'`]);
  assert.deepEqual(of('..x'), [`${itemPath}: Invalid value: "..x": must not start with '..'`]);
  assert.deepEqual(of(''), [`${itemPath}: Required value`]);
  for (const path of ['a', 'a/b', 'a..', './a']) assert.deepEqual(of(path), []);
});

test('downwardAPI: files with a field of the pod or a resource of a container', () => {
  const file = (fields: object) => ({ downwardAPI: { items: [{ path: 'p', ...fields }] } });
  assert.deepEqual(filledIn(file({ fieldRef: { fieldPath: 'metadata.name' } })), {
    downwardAPI: {
      items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
      defaultMode: 420,
    },
  });
  accepted(
    file({ fieldRef: { fieldPath: "metadata.labels['app']" } }),
    file({ resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1Mi' } }),
    file({ resourceFieldRef: { containerName: 'c', resource: 'requests.hugepages-2Mi' } }),
  );
  assert.deepEqual(problem(file({})), [
    'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ]);
  assert.deepEqual(problem(file({ fieldRef: { fieldPath: 'spec.nodeName' } })), [
    'downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
  ]);
  assert.deepEqual(problem(file({ resourceFieldRef: { resource: 'limits.cpu' } })), [
    'downwardAPI.resourceFieldRef.containerName: Required value',
  ]);
  assert.deepEqual(
    problem(file({ resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '2' } })),
    [
      'downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
    ],
  );
});

test('projected: exactly one field set per source, and no two files of one path', () => {
  const projected = (...sources: object[]) => ({ projected: { sources } });
  assert.deepEqual(filledIn(projected({ secret: { name: 's' } })).projected.defaultMode, 420);
  assert.deepEqual(problem(projected({ secret: { name: 's' }, configMap: { name: 'c' } })), [
    'projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
  ]);
  const item = { items: [{ key: 'k', path: 'p' }] };
  assert.deepEqual(
    problem(projected({ secret: { name: 's', ...item } }, { configMap: { name: 'c', ...item } })),
    ['projected: Invalid value: "c": conflicting duplicate paths'],
  );
});

test('projected configMap, downwardAPI and secret: name, optional, items', () => {
  accepted({
    projected: {
      sources: [
        { configMap: { name: 'c', optional: true, items: [{ key: 'k', path: 'a' }] } },
        { downwardAPI: { items: [{ path: 'b', fieldRef: { fieldPath: 'metadata.uid' } }] } },
        { secret: { name: 's', optional: false, items: [{ key: 'k', path: 'c' }] } },
      ],
    },
  });
  assert.deepEqual(problem({ projected: { sources: [{ secret: {} }, { configMap: { items: [{}] } }] } }), [
    'projected.sources[0].secret.name: Required value',
    'projected.sources[1].configMap.name: Required value',
    'projected.sources[1].configMap.items[0].key: Required value',
    'projected.sources[1].configMap.items[0].path: Required value',
  ]);
});

test('projected serviceAccountToken: a path, 1 hour by default, 10 minutes at least', () => {
  const token = (fields: object) => ({ projected: { sources: [{ serviceAccountToken: fields }] } });
  assert.deepEqual(filledIn(token({ path: 't', audience: 'a' })).projected.sources, [
    { serviceAccountToken: { audience: 'a', expirationSeconds: 3600, path: 't' } },
  ]);
  accepted(token({ path: 't', expirationSeconds: 600 }), token({ path: 't', expirationSeconds: 2 ** 32 }));
  const itemPath = 'projected.sources[0].serviceAccountToken.expirationSeconds';
  assert.deepEqual(problem(token({ path: 't', expirationSeconds: 599 })), [
    `${itemPath}: Invalid value: 599: may not specify a duration less than 10 minutes`,
  ]);
  assert.deepEqual(problem(token({ path: 't', expirationSeconds: 2 ** 32 + 1 })), [
    `${itemPath}: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
  ]);
  assert.deepEqual(problem(token({})), ['projected.path: Required value']);
});

test('projected clusterTrustBundle: a path, and a name or a signer with labels', () => {
  const bundle = (fields: object) => ({
    projected: { sources: [{ clusterTrustBundle: { path: 'p', ...fields } }] },
  });
  const itemPath = 'projected.sources[0].clusterTrustBundle';
  accepted(
    bundle({ name: 'b', optional: true }),
    bundle({ name: 'example.com:signer:b' }),
    bundle({ signerName: 'example.com/signer' }),
    bundle({ signerName: 'example.com/signer', labelSelector: {} }),
    bundle({ signerName: 'example.com/signer', labelSelector: { matchLabels: { a: 'b' } } }),
  );
  assert.deepEqual(problem(bundle({ name: 'b', path: '' })), [`${itemPath}.path: Required value`]);
  assert.deepEqual(problem(bundle({})), [
    `${itemPath}: Required value: either name or signerName must be specified`,
  ]);
  assert.match(
    problem(bundle({ name: 'b', signerName: 'a.b/c' }))[0]!,
    /only one of name and signerName may be used$/,
  );
  assert.match(
    problem(bundle({ name: 'b', labelSelector: {} }))[0]!,
    /labelSelector: .*: labelSelector must be unset if name is specified$/,
  );
  assert.deepEqual(problem(bundle({ labelSelector: {} })), [
    `${itemPath}: Required value: either name or signerName must be specified`,
  ]);
  assert.match(problem(bundle({ signerName: 'nope' }))[0]!, /must be a fully qualified domain and path/);
});

test('awsElasticBlockStore: partition, readOnly', () => {
  accepted({ awsElasticBlockStore: { volumeID: 'v', partition: 1, readOnly: true } });
  assert.deepEqual(problem({ awsElasticBlockStore: { partition: 256 } }), [
    'awsElasticBlockStore.volumeID: Required value',
    'awsElasticBlockStore.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ]);
});

test('azureDisk: diskName, diskURI, cachingMode, fsType (ext4), kind (Shared), readOnly (false)', () => {
  const disk = { diskName: 'd', diskURI: 'https://x' };
  assert.deepEqual(filledIn({ azureDisk: disk }), {
    azureDisk: { ...disk, cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  });
  for (const cachingMode of ['None', 'ReadOnly', 'ReadWrite'])
    accepted({ azureDisk: { ...disk, cachingMode } });
  accepted({ azureDisk: { ...disk, kind: 'Dedicated' } });
  accepted({ azureDisk: { diskName: 'd', diskURI: '/subscriptions/x', kind: 'Managed' } });
  assert.deepEqual(problem({ azureDisk: { cachingMode: 'x', kind: 'x' } }), [
    'azureDisk.diskName: Required value',
    'azureDisk.diskURI: Required value',
    'azureDisk.cachingMode: Unsupported value: "x": supported values: "None", "ReadOnly", "ReadWrite"',
    'azureDisk.kind: Unsupported value: "x": supported values: "Dedicated", "Managed", "Shared"',
    'azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ]);
});

test('azureFile: secretName, shareName, readOnly', () => {
  accepted({ azureFile: { secretName: 's', shareName: 't', readOnly: true } });
  assert.deepEqual(problem({ azureFile: {} }), [
    'azureFile.secretName: Required value',
    'azureFile.shareName: Required value',
  ]);
});

test('cinder: fsType, readOnly, secretRef', () => {
  accepted({ cinder: { volumeID: 'v', fsType: 'ext4', readOnly: true, secretRef: { name: 's' } } });
  assert.deepEqual(problem({ cinder: { secretRef: {} } }), [
    'cinder.volumeID: Required value',
    'cinder.secretRef.name: Required value',
  ]);
});

test('csi: driver, fsType, nodePublishSecretRef, readOnly, volumeAttributes', () => {
  accepted({
    csi: {
      driver: 'Driver.example.com',
      fsType: 'ext4',
      readOnly: true,
      nodePublishSecretRef: { name: 's' },
      volumeAttributes: { a: 'b' },
    },
  });
  assert.deepEqual(problem({ csi: { driver: 'd'.repeat(64), nodePublishSecretRef: {} } }), [
    'csi.driver: Too long: may not be more than 63 bytes',
    'csi.nodePublishSecretRef.name: Required value',
  ]);
  assert.equal(problem({ csi: {} })[0], 'csi.driver: Required value');
});

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

test('ephemeral: a template with a spec taken as it is, and only labels and annotations of the metadata', () => {
  const template = (metadata: object, spec: object = claim) => ({
    ephemeral: { volumeClaimTemplate: { metadata, spec } },
  });
  assert.deepEqual(filledIn(template({ labels: { a: 'b' }, annotations: { c: 'd' } })).ephemeral, {
    volumeClaimTemplate: {
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
      spec: { ...claim, volumeMode: 'Filesystem' },
    },
  });
  assert.deepEqual(problem({ ephemeral: {} }), ['ephemeral.volumeClaimTemplate: Required value']);
  assert.deepEqual(problem(template({ name: 'n', finalizers: ['f'] })), [
    'ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
    'ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set',
  ]);
  assert.deepEqual(problem(template({}, {})), [
    'ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
    'ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
  ]);
});

test('ephemeral: the claim is named <pod name>-<volume name>, and the pod is rejected if that is no name', () => {
  const ephemeral = { ephemeral: { volumeClaimTemplate: { spec: claim } } };
  assert.deepEqual(tryVolumes([{ name: 'v', ...ephemeral }], 'pod').problems, []);
  assert.deepEqual(tryVolumes([{ name: 'volume', ...ephemeral }], 'p'.repeat(250)).problems, [
    `volumes[0].name: Invalid value: "volume": PVC name "${'p'.repeat(250)}-volume": must be no more than 253 characters`,
  ]);
  const { problems } = tryVolumes(
    [
      { name: 'a', persistentVolumeClaim: { claimName: 'pod-v' } },
      { name: 'v', ...ephemeral },
    ],
    'pod',
  );
  assert.deepEqual(problems, [
    'volumes[0].persistentVolumeClaim.claimName: Invalid value: "pod-v": must not reference a PVC that gets created for an ephemeral volume',
  ]);
});

test('fc: wwids, or targetWWNs and lun, not both', () => {
  accepted({ fc: { wwids: ['a'], fsType: 'ext4', readOnly: true } }, { fc: { targetWWNs: ['a'], lun: 0 } });
  assert.deepEqual(problem({ fc: {} }), [
    'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
  ]);
  assert.deepEqual(problem({ fc: { targetWWNs: ['a'], wwids: ['b'], lun: 1 } }), [
    'fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously',
  ]);
  assert.deepEqual(problem({ fc: { targetWWNs: ['a'] } }), [
    'fc.lun: Required value: lun is required if targetWWNs is specified',
  ]);
  assert.deepEqual(problem({ fc: { targetWWNs: ['a'], lun: 256 } }), [
    'fc.lun: Invalid value: 256: must be between 0 and 255, inclusive',
  ]);
});

test('flexVolume: driver, fsType, options, readOnly, secretRef', () => {
  accepted({
    flexVolume: { driver: 'a/b', fsType: 'x', options: { k: 'v' }, readOnly: true, secretRef: { name: 's' } },
  });
  assert.deepEqual(problem({ flexVolume: { options: { 'a.k8s.io/x': 'v' } } }), [
    'flexVolume.driver: Required value',
    'flexVolume.options[a.k8s.io/x]: Invalid value: "a.k8s.io/x": kubernetes.io and k8s.io namespaces are reserved',
  ]);
});

test('flocker: exactly one of datasetName and datasetUUID', () => {
  accepted({ flocker: { datasetName: 'a' } }, { flocker: { datasetUUID: 'b' } });
  assert.deepEqual(problem({ flocker: {} }), [
    'flocker: Required value: one of datasetName and datasetUUID is required',
  ]);
  assert.deepEqual(problem({ flocker: { datasetName: 'a', datasetUUID: 'b' } }), [
    'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
  ]);
});

test('iscsi: iqn, lun and targetPortal, CHAP with a secret, initiatorName, iscsiInterface (default)', () => {
  const iscsi = { targetPortal: '1.2.3.4', iqn: 'iqn.2015-02.example.com:test', lun: 0 };
  assert.deepEqual(filledIn({ iscsi }), { iscsi: { ...iscsi, iscsiInterface: 'default' } });
  accepted(
    { iscsi: { ...iscsi, iqn: 'eui.0123456789ABCDEF', lun: 255, fsType: 'ext4' } },
    { iscsi: { ...iscsi, chapAuthDiscovery: true, chapAuthSession: true, secretRef: { name: 's' } } },
    { iscsi: { ...iscsi, initiatorName: 'iqn.2015-02.example.com:me' } },
  );
  assert.deepEqual(problem({ iscsi: {} }), [
    'iscsi.targetPortal: Required value',
    'iscsi.iqn: Required value',
  ]);
  assert.deepEqual(problem({ iscsi: { ...iscsi, lun: 256, chapAuthSession: true, initiatorName: 'x' } }), [
    'iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    'iscsi.secretRef: Required value',
    'iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
  ]);
});

test('image: the pull policy follows the tag', () => {
  assert.equal(filledIn({ image: { reference: 'a' } }).image.pullPolicy, 'Always');
  assert.equal(filledIn({ image: { reference: 'a:1' } }).image.pullPolicy, 'IfNotPresent');
  assert.match(problem({ image: { pullPolicy: 'Nope' } })[0]!, /Unsupported value: "Nope"/);
});

test('sources that nothing mounts any more are warned of', () => {
  const { volumes } = tryVolumes([
    { name: 'a', gitRepo: { repository: 'r' } },
    { name: 'b', rbd: { monitors: ['m'], image: 'i' } },
  ]);
  assert.deepEqual(volumeWarnings(volumes, 'volumes'), [
    'volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
  ]);
});

test('files in the place of others are warned of, and thousands of them are not compared', () => {
  const items = (...paths: string[]) => paths.map((path) => ({ key: 'k', path }));
  const few = tryVolumes([{ name: 'v', secret: { secretName: 's', items: items('a', 'a/b', 'c') } }]);
  assert.deepEqual(volumeWarnings(few.volumes, 'volumes'), [
    'volume "v" (Secret "s"): overlapping paths: "a/b" with "a"',
  ]);
  const many = tryVolumes([
    { name: 'v', secret: { secretName: 's', items: items(...Array.from({ length: 100_000 }, () => 'a')) } },
  ]);
  assert.deepEqual(volumeWarnings(many.volumes, 'volumes'), []);
});
