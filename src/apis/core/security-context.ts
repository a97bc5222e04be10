// SecurityContext and PodSecurityContext: schemas.
import { list } from '../../schema/collections.ts';
import { bool, int64, named, openEnum, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const capability = named('core/v1.Capability', string);

const Capabilities = struct(
  'core/v1.Capabilities',
  {
    add: field(1, list(capability, { type: 'atomic' }), { doc: 'Capabilities to add.' }),
    drop: field(2, list(capability, { type: 'atomic' }), { doc: 'Capabilities to drop.' }),
  },
  { doc: 'Linux capabilities to add and drop.' },
);

export const SELinuxOptions = struct(
  'core/v1.SELinuxOptions',
  {
    user: field(1, string, { doc: 'The SELinux user.' }),
    role: field(2, string, { doc: 'The SELinux role.' }),
    type: field(3, string, { doc: 'The SELinux type.' }),
    level: field(4, string, { doc: 'The SELinux level.' }),
  },
  { doc: 'The SELinux label of a container.' },
);
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const WindowsSecurityContextOptions = struct(
  'core/v1.WindowsSecurityContextOptions',
  {
    gmsaCredentialSpecName: field(1, optional(string), { doc: 'The name of the GMSA credential spec.' }),
    gmsaCredentialSpec: field(2, optional(string), { doc: 'The content of the GMSA credential spec.' }),
    runAsUserName: field(3, optional(string), {
      doc: 'The Windows user of the entrypoint: `user` or `DOMAIN\\user`.',
    }),
    hostProcess: field(4, optional(bool), {
      doc: 'Whether the container is a HostProcess container. All containers of a pod must have the same value.',
    }),
  },
  { doc: 'Security options for Windows.' },
);
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  {
    type: field(
      1,
      named('core/v1.SeccompProfileType', publishedEnum('Unconfined', 'RuntimeDefault', 'Localhost')),
      {
        required: true,
        doc: 'Unconfined, RuntimeDefault or Localhost.',
      },
    ),
    localhostProfile: field(2, optional(string), {
      doc: "The path of the profile, relative to the kubelet's seccomp profile directory. Required for type Localhost, otherwise not allowed.",
    }),
  },
  {
    doc: 'A seccomp profile.',
    union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } },
  },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  {
    type: field(
      1,
      named('core/v1.AppArmorProfileType', publishedEnum('Unconfined', 'RuntimeDefault', 'Localhost')),
      {
        required: true,
        doc: 'Unconfined, RuntimeDefault or Localhost.',
      },
    ),
    localhostProfile: field(2, optional(string), {
      doc: 'The name of a profile that is loaded on the node. Required for type Localhost, otherwise not allowed.',
    }),
  },
  {
    doc: 'An AppArmor profile.',
    union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } },
  },
);
export type AppArmorProfile = Infer<typeof AppArmorProfile>;

/** Documentation of fields that pods and containers share; the container's value takes precedence. */
const docs = {
  seLinuxOptions: 'The SELinux label. By default, the container runtime allocates a random one.',
  windowsOptions: 'Security options for Windows.',
  runAsUser: "The user id of the entrypoint. Defaults to the image's user.",
  runAsGroup: "The group id of the entrypoint. Defaults to the runtime's.",
  runAsNonRoot: 'Requires a non-root user: the kubelet does not start a container that would run as root.',
  seccompProfile: 'The seccomp profile.',
  appArmorProfile: 'The AppArmor profile.',
};

export const SecurityContext = struct(
  'core/v1.SecurityContext',
  {
    capabilities: field(1, optional(Capabilities), { doc: 'Linux capabilities to add and drop.' }),
    privileged: field(2, optional(bool), {
      doc: 'Runs the container in privileged mode: its processes are root on the node.',
    }),
    seLinuxOptions: field(3, optional(SELinuxOptions), { doc: docs.seLinuxOptions }),
    windowsOptions: field(10, optional(WindowsSecurityContextOptions), { doc: docs.windowsOptions }),
    runAsUser: field(4, optional(int64), { doc: docs.runAsUser }),
    runAsGroup: field(8, optional(int64), { doc: docs.runAsGroup }),
    runAsNonRoot: field(5, optional(bool), { doc: docs.runAsNonRoot }),
    readOnlyRootFilesystem: field(6, optional(bool), { doc: 'Whether the root file system is read-only.' }),
    allowPrivilegeEscalation: field(7, optional(bool), {
      doc: 'Whether a process can gain more privileges than its parent. Always true for privileged containers.',
    }),
    procMount: field(9, optional(named('core/v1.ProcMountType', publishedEnum('Default', 'Unmasked'))), {
      doc: 'The type of the /proc mount: Default or Unmasked. Unmasked requires a user namespace.',
    }),
    seccompProfile: field(11, optional(SeccompProfile), { doc: docs.seccompProfile }),
    appArmorProfile: field(12, optional(AppArmorProfile), { doc: docs.appArmorProfile }),
  },
  { doc: 'Security options of a container. They override those of the pod.' },
);
export type SecurityContext = Infer<typeof SecurityContext>;

export const Sysctl = struct(
  'core/v1.Sysctl',
  {
    name: field(1, string, { required: true, doc: 'The name of the sysctl.' }),
    value: field(2, string, { required: true, doc: 'The value of the sysctl.' }),
  },
  { doc: 'A kernel parameter to set.' },
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
    supplementalGroups: field(4, list(int64, { type: 'atomic' }), {
      doc: 'Supplemental groups of the first process.',
    }),
    supplementalGroupsPolicy: field(
      12,
      optional(named('core/v1.SupplementalGroupsPolicy', publishedEnum('Merge', 'Strict'))),
      { doc: 'Whether groups that the image defines for the user are added: Merge (default) or Strict.' },
    ),
    fsGroup: field(5, optional(int64), {
      doc: 'A supplemental group that owns the volumes, if their type supports it.',
    }),
    sysctls: field(7, list(Sysctl, { type: 'atomic' }), { doc: "The sysctls of the pod's namespaces." }),
    fsGroupChangePolicy: field(
      9,
      optional(named('core/v1.PodFSGroupChangePolicy', publishedEnum('OnRootMismatch', 'Always'))),
      {
        doc: 'When the ownership of a volume is changed to fsGroup: Always, or OnRootMismatch if its root directory has another owner.',
      },
    ),
    seccompProfile: field(10, optional(SeccompProfile), { doc: docs.seccompProfile }),
    appArmorProfile: field(11, optional(AppArmorProfile), { doc: docs.appArmorProfile }),
    seLinuxChangePolicy: field(
      13,
      optional(named('core/v1.PodSELinuxChangePolicy', openEnum('Recursive', 'MountOption'))),
      { doc: 'How the SELinux label is applied to volumes: Recursive (file by file) or MountOption.' },
    ),
  },
  { doc: 'Security options of a pod, and defaults for its containers.' },
);
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
