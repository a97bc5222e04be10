import { list } from '../../schema/collections.ts';
import { bool, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const capability = named('core/v1.Capability', string);

export const Capabilities = struct('core/v1.Capabilities', {
  add: field(1, list(capability, { type: 'atomic' })),
  drop: field(2, list(capability, { type: 'atomic' })),
});
export type Capabilities = Infer<typeof Capabilities>;

export const SELinuxOptions = struct('core/v1.SELinuxOptions', {
  user: field(1, string),
  role: field(2, string),
  type: field(3, string),
  level: field(4, string),
});
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const WindowsSecurityContextOptions = struct('core/v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: field(1, optional(string)),
  gmsaCredentialSpec: field(2, optional(string)),
  runAsUserName: field(3, optional(string)),
  hostProcess: field(4, optional(bool)),
});
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  {
    type: field(1, named('core/v1.SeccompProfileType', oneOf('Unconfined', 'RuntimeDefault', 'Localhost')), {
      required: true,
    }),
    localhostProfile: field(2, optional(string)),
  },
  { union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } } },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  {
    type: field(1, named('core/v1.AppArmorProfileType', oneOf('Unconfined', 'RuntimeDefault', 'Localhost')), {
      required: true,
    }),
    localhostProfile: field(2, optional(string)),
  },
  { union: { discriminator: 'type', members: { localhostProfile: 'LocalhostProfile' } } },
);
export type AppArmorProfile = Infer<typeof AppArmorProfile>;

export const SecurityContext = struct('core/v1.SecurityContext', {
  capabilities: field(1, optional(Capabilities)),
  privileged: field(2, optional(bool)),
  seLinuxOptions: field(3, optional(SELinuxOptions)),
  windowsOptions: field(10, optional(WindowsSecurityContextOptions)),
  runAsUser: field(4, optional(int64)),
  runAsGroup: field(8, optional(int64)),
  runAsNonRoot: field(5, optional(bool)),
  readOnlyRootFilesystem: field(6, optional(bool)),
  allowPrivilegeEscalation: field(7, optional(bool)),
  procMount: field(9, optional(named('core/v1.ProcMountType', oneOf('Default', 'Unmasked')))),
  seccompProfile: field(11, optional(SeccompProfile)),
  appArmorProfile: field(12, optional(AppArmorProfile)),
});
export type SecurityContext = Infer<typeof SecurityContext>;

export const Sysctl = struct('core/v1.Sysctl', {
  name: field(1, string, { required: true }),
  value: field(2, string, { required: true }),
});
export type Sysctl = Infer<typeof Sysctl>;

export const PodSecurityContext = struct('core/v1.PodSecurityContext', {
  seLinuxOptions: field(1, optional(SELinuxOptions)),
  windowsOptions: field(8, optional(WindowsSecurityContextOptions)),
  runAsUser: field(2, optional(int64)),
  runAsGroup: field(6, optional(int64)),
  runAsNonRoot: field(3, optional(bool)),
  supplementalGroups: field(4, list(int64, { type: 'atomic' })),
  supplementalGroupsPolicy: field(
    12,
    optional(named('core/v1.SupplementalGroupsPolicy', oneOf('Merge', 'Strict'))),
  ),
  fsGroup: field(5, optional(int64)),
  sysctls: field(7, list(Sysctl, { type: 'atomic' })),
  fsGroupChangePolicy: field(
    9,
    optional(named('core/v1.PodFSGroupChangePolicy', oneOf('OnRootMismatch', 'Always'))),
  ),
  seccompProfile: field(10, optional(SeccompProfile)),
  appArmorProfile: field(11, optional(AppArmorProfile)),
  seLinuxChangePolicy: field(
    13,
    optional(named('core/v1.PodSELinuxChangePolicy', oneOf('Recursive', 'MountOption'))),
  ),
});
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
