import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { largeMap, relabelled, spec, storageGroup, tries, updates } from './storage-cases.ts';
import { allSources } from './volume-sources.ts';

const volumeattachments = paths(`${storageGroup}/v1/volumeattachments`);

const attachment = (fields: JsonObject = {}): JsonObject =>
  spec({ attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' }, ...fields });
const inline = (fields: JsonObject): JsonObject =>
  attachment({ source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], ...fields } } });
const csi = { csi: { driver: 'd', volumeHandle: 'h' } };

export const volumeAttachmentRules = subject('volumeattachments', [
  ask(
    'specs',
    post(volumeattachments('?dryRun=All'), object('{name}')),
    post(volumeattachments('?dryRun=All'), object('A_', attachment(), { finalizers: ['x'] })),
    tries(
      volumeattachments,
      spec({}),
      ...['', 'A_', 'ABC', 'a'.repeat(64)].map((attacher) => attachment({ attacher })),
      ...['', 'A_'].map((nodeName) => attachment({ nodeName })),
      attachment({ source: {} }),
      ...['', 'P_'].map((persistentVolumeName) => attachment({ source: { persistentVolumeName } })),
      attachment({ source: { persistentVolumeName: 'p', inlineVolumeSpec: csi } }),
      { ...attachment(), status: { attached: true, attachmentMetadata: { a: 'b' } } },
    ),
  ),
  ask(
    'volumes described inline',
    tries(
      volumeattachments,
      attachment({ source: { inlineVolumeSpec: {} } }),
      inline(csi),
      inline({
        ...csi,
        claimRef: {},
        capacity: { storage: '1' },
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'x',
        volumeMode: 'Block',
        nodeAffinity: {},
        volumeAttributesClassName: 'x',
        mountOptions: ['a'],
      }),
      inline({ hostPath: { path: '/a' } }),
      inline({ accessModes: ['X', 'ReadWriteOncePod'], iscsi: {} }),
      inline({ ...csi, volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' }),
      inline({ ...csi, volumeMode: 'X' }),
      inline({ azureDisk: allSources.azureDisk! }),
    ),
  ),
  ...lifecycle(volumeattachments, object('{name}', attachment()), {
    full: object('{other}', inline(csi)),
    change: { spec: { nodeName: 'm' } },
    status: { attached: true, attachmentMetadata: { a: 'b' } },
  }),
  updates(
    'the spec stays',
    volumeattachments,
    attachment(),
    spec({ attacher: 'c' }),
    spec({ attacher: '' }),
    spec({ nodeName: 'm' }),
    spec({ source: { persistentVolumeName: 'q' } }),
    { status: { attached: true } },
  ),
  ask(
    'status',
    post(volumeattachments(), object('{name}', attachment()), { as: 'a' }),
    [
      {
        attached: true,
        attachmentMetadata: { a: 'b' },
        attachError: { message: 'm', time: '2020-01-01T00:00:00Z', errorCode: 3 },
      },
      { attached: true, attachmentMetadata: largeMap },
      { attached: true, attachmentMetadata: { '': 'x', 'b b': 'c' } },
      {
        attached: false,
        attachError: { message: 'x'.repeat(1100) },
        detachError: { message: 'y'.repeat(1025), errorCode: -1 },
      },
      {},
    ].map((status) => put(volumeattachments('{name}/status?dryRun=All'), withChange('a', { status }))),
    put(
      volumeattachments('{name}/status?dryRun=All'),
      relabelled({ labels: { a: 'b' }, finalizers: ['foo'] }),
    ),
    { method: 'DELETE', path: volumeattachments('{name}') },
  ),
]);
