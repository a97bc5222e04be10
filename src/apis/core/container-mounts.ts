// VolumeMount and VolumeDevice: schemas.
import { bool, documentedEnum, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { recursiveReadOnlyMode } from './recursive-read-only.ts';

export const VolumeMount = struct(
  'core/v1.VolumeMount',
  {
    name: field(1, string, { required: true, doc: 'The volume of the pod, by its name.' }),
    readOnly: field(2, bool, { doc: 'The container may not write to it.' }),
    recursiveReadOnly: field(7, optional(recursiveReadOnlyMode), {
      doc: 'Whether what is mounted below a read-only mount is read-only as well.',
    }),
    mountPath: field(3, string, { required: true, doc: 'Where in the container it appears. No colon.' }),
    subPath: field(4, string, { doc: 'The part of the volume to show, instead of its root.' }),
    mountPropagation: field(
      5,
      optional(
        named('core/v1.MountPropagationMode', documentedEnum('None', 'HostToContainer', 'Bidirectional')),
      ),
      { doc: 'Whether mounts made later are seen across the border between node and container.' },
    ),
    subPathExpr: field(6, string, {
      doc: 'As `subPath`, with `$(NAME)` standing for variables of the container.',
    }),
  },
  { doc: 'A volume of the pod as a container sees it.' },
);
export type VolumeMount = Infer<typeof VolumeMount>;

export const VolumeDevice = struct(
  'core/v1.VolumeDevice',
  {
    name: field(1, string, { required: true, doc: 'The volume, which must be a claim in block mode.' }),
    devicePath: field(2, string, { required: true, doc: 'Where in the container the device appears.' }),
  },
  { doc: 'A block device of the pod as a container sees it.' },
);
export type VolumeDevice = Infer<typeof VolumeDevice>;
