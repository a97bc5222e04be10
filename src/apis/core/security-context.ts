// SecurityContext and PodSecurityContext: schemas.
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const capability = named('core/v1.Capability', string);

const Capabilities = struct(
  'core/v1.Capabilities',
  {
    add: field(1, list(capability, { type: 'atomic' }), { doc: 'Given beyond what the runtime gives.' }),
    drop: field(2, list(capability, { type: 'atomic' }), { doc: 'Taken away.' }),
  },
  { doc: 'Linux capabilities of a container.' },
);

export const SELinuxOptions = struct(
  'core/v1.SELinuxOptions',
  {
    user: field(1, string, { doc: 'The user of the label.' }),
    role: field(2, string, { doc: 'Its role.' }),
    type: field(3, string, { doc: 'Its type.' }),
    level: field(4, string, { doc: 'Its level.' }),
  },
  { doc: 'The SELinux label of a container.' },
);
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const WindowsSecurityContextOptions = struct(
  'core/v1.WindowsSecurityContextOptions',
  {
    gmsaCredentialSpecName: field(1, optional(string), { doc: 'The name of a GMSA credential spec.' }),
    gmsaCredentialSpec: field(2, optional(string), { doc: 'The GMSA credential spec itself.' }),
    runAsUserName: field(3, optional(string), { doc: 'Who to run as: `user` or `DOMAIN\\user`.' }),
    hostProcess: field(4, optional(bool), {
      doc: 'It runs as a process of the node. All containers of a pod do, or none.',
    }),
  },
  { doc: 'What only Windows knows.' },
);
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  {
    type: field(
      1,
      named('core/v1.SeccompProfileType', documentedEnum('Unconfined', 'RuntimeDefault', 'Localhost')),
      {
        required: true,
        doc: "None, the runtime's own, or a file on the node.",
      },
    ),
    localhostProfile: field(2, optional(string), {
      doc: "The file, below the node's folder of profiles. For Localhost only, and then required.",
    }),
  },
  {
    doc: 'Which system calls are allowed.',
    union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } },
  },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  {
    type: field(
      1,
      named('core/v1.AppArmorProfileType', documentedEnum('Unconfined', 'RuntimeDefault', 'Localhost')),
      {
        required: true,
        doc: "None, the runtime's own, or one that the node has loaded.",
      },
    ),
    localhostProfile: field(2, optional(string), {
      doc: 'The name of the loaded profile. For Localhost only, and then required.',
    }),
  },
  {
    doc: 'Which AppArmor profile confines a container.',
    union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } },
  },
);
export type AppArmorProfile = Infer<typeof AppArmorProfile>;

/** Documentation of fields that pods and containers share; the container's value takes precedence. */
const docs = {
  seLinuxOptions: 'The SELinux label. By default the runtime makes one up.',
  windowsOptions: 'What only Windows knows.',
  runAsUser: "The user's number, by default the image's.",
  runAsGroup: "The group's number, by default the runtime's.",
  runAsNonRoot: 'Refuses to start as root.',
  seccompProfile: 'Which system calls are allowed.',
  appArmorProfile: 'Which AppArmor profile confines it.',
};

export const SecurityContext = struct(
  'core/v1.SecurityContext',
  {
    capabilities: field(1, optional(Capabilities), { doc: 'Linux capabilities.' }),
    privileged: field(2, optional(bool), { doc: 'It is root on the node.' }),
    seLinuxOptions: field(3, optional(SELinuxOptions), { doc: docs.seLinuxOptions }),
    windowsOptions: field(10, optional(WindowsSecurityContextOptions), { doc: docs.windowsOptions }),
    runAsUser: field(4, optional(int64), { doc: docs.runAsUser }),
    runAsGroup: field(8, optional(int64), { doc: docs.runAsGroup }),
    runAsNonRoot: field(5, optional(bool), { doc: docs.runAsNonRoot }),
    readOnlyRootFilesystem: field(6, optional(bool), { doc: 'Its root file system cannot be written.' }),
    allowPrivilegeEscalation: field(7, optional(bool), {
      doc: 'Whether a process may get more rights than its parent. Always so for privileged containers.',
    }),
    procMount: field(9, optional(named('core/v1.ProcMountType', documentedEnum('Default', 'Unmasked'))), {
      doc: 'What /proc shows. Unmasked needs user ids of its own.',
    }),
    seccompProfile: field(11, optional(SeccompProfile), { doc: docs.seccompProfile }),
    appArmorProfile: field(12, optional(AppArmorProfile), { doc: docs.appArmorProfile }),
  },
  { doc: 'What a container may do. It wins over what its pod says.' },
);
export type SecurityContext = Infer<typeof SecurityContext>;

export const Sysctl = struct(
  'core/v1.Sysctl',
  {
    name: field(1, string, { required: true, doc: 'The name of the parameter.' }),
    value: field(2, string, { required: true, doc: 'What it is set to.' }),
  },
  { doc: 'A kernel parameter.' },
);
export type Sysctl = Infer<typeof Sysctl>;

export const PodSecurityContext = struct(
  'core/v1.PodSecurityContext',
  {
    seLinuxOptions: field(1, optional(SELinuxOptions), { doc: docs.seLinuxOptions }),
    windowsOptions: field(8, optional(WindowsSecurityContextOptions), { doc: docs.windowsOptions }),
    runAsUser: field(2, optional(int64), { doc: docs.runAsUser }),
    runAsGroup: field(6, optional(int64), { doc: docs.runAsGroup }),
    runAsNonRoot: field(3, optional(bool), { doc: docs.runAsNonRoot }),
    supplementalGroups: field(4, list(int64, { type: 'atomic' }), { doc: 'Further groups.' }),
    supplementalGroupsPolicy: field(
      12,
      optional(named('core/v1.SupplementalGroupsPolicy', documentedEnum('Merge', 'Strict'))),
      { doc: 'Whether the groups that the image gives the user are added: Merge, the default, or Strict.' },
    ),
    fsGroup: field(5, optional(int64), { doc: 'A group that owns the volumes, as far as they support it.' }),
    sysctls: field(7, list(Sysctl, { type: 'atomic' }), { doc: 'Kernel parameters.' }),
    fsGroupChangePolicy: field(
      9,
      optional(named('core/v1.PodFSGroupChangePolicy', documentedEnum('OnRootMismatch', 'Always'))),
      { doc: 'Whether the owner of a volume is set each time, or only when its root has another.' },
    ),
    seccompProfile: field(10, optional(SeccompProfile), { doc: docs.seccompProfile }),
    appArmorProfile: field(11, optional(AppArmorProfile), { doc: docs.appArmorProfile }),
    seLinuxChangePolicy: field(
      13,
      optional(named('core/v1.PodSELinuxChangePolicy', oneOf('Recursive', 'MountOption'))),
      { doc: 'How volumes get the SELinux label: file by file, or by an option of the mount.' },
    ),
  },
  { doc: 'What the containers of a pod may do.' },
);
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
