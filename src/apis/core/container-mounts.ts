// VolumeMount and VolumeDevice: schemas.
import { bool, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { recursiveReadOnlyMode } from './recursive-read-only.ts';

export const VolumeMount = struct(
  'core/v1.VolumeMount',
  {
    name: field(1, string, { required: true, doc: 'The name of a volume of the pod.' }),
    readOnly: field(2, bool, { doc: 'Mounts the volume read-only.' }),
    recursiveReadOnly: field(7, optional(recursiveReadOnlyMode), {
      doc: 'Whether mounts below a read-only mount are read-only too: Disabled, IfPossible or Enabled.',
    }),
    mountPath: field(3, string, {
      required: true,
      doc: 'The path in the container at which the volume is mounted. Must not contain a colon.',
    }),
    subPath: field(4, string, {
      doc: 'The path in the volume that is mounted. Defaults to the root of the volume.',
    }),
    mountPropagation: field(
      5,
      optional(
        named('core/v1.MountPropagationMode', publishedEnum('None', 'HostToContainer', 'Bidirectional')),
      ),
      {
        doc: 'Whether mounts made after the start propagate from the host to the container, and back: None, HostToContainer or Bidirectional.',
      },
    ),
    subPathExpr: field(6, string, {
      doc: 'As `subPath`, with `$(NAME)` replaced by environment variables of the container.',
    }),
  },
  { doc: 'Mounts a volume of the pod in a container.' },
);
export type VolumeMount = Infer<typeof VolumeMount>;

export const VolumeDevice = struct(
  'core/v1.VolumeDevice',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of a PersistentVolumeClaim volume of the pod with volumeMode Block.',
    }),
    devicePath: field(2, string, { required: true, doc: 'The path of the device in the container.' }),
  },
  { doc: 'Maps a raw block device of the pod into a container.' },
);
export type VolumeDevice = Infer<typeof VolumeDevice>;
