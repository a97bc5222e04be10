import { ask, type JsonObject, subject } from '../case.ts';
import { container, template, templateWith } from './pod-spec-cases.ts';

const own = (securityContext: JsonObject, others: JsonObject = {}) =>
  templateWith({ securityContext }, others);
const ofPod = (securityContext: JsonObject, others: JsonObject = {}) =>
  template({ securityContext, ...others });
const sysctl = (name: string, others: JsonObject = {}) => ofPod({ sysctls: [{ name, value: '1' }] }, others);
const user = (runAsUserName: string) => own({ windowsOptions: { runAsUserName } });
const annotated = (name: string, value: string, fields: JsonObject = {}) =>
  template(fields, { annotations: { [name]: value } });

export const podSecurity = subject('pod-spec-security', [
  ask(
    'users and groups',
    ofPod({ runAsUser: 1, runAsGroup: 2, fsGroup: 3, supplementalGroups: [4, 5], runAsNonRoot: true }),
    ofPod({ runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [1, -1] }),
    ofPod({ runAsUser: 2147483648 }),
    own({ runAsUser: -1, runAsGroup: 4294967296 }),
    ofPod({ supplementalGroupsPolicy: 'Nope' }),
    ofPod({ supplementalGroupsPolicy: 'Strict' }),
    ofPod({ fsGroupChangePolicy: 'Nope' }),
    ofPod({ fsGroupChangePolicy: 'Always' }),
    ofPod({ seLinuxChangePolicy: 'Nope' }),
    ofPod({ seLinuxChangePolicy: 'MountOption' }),
    ofPod({ seLinuxOptions: { level: 's0', role: 'r', type: 't', user: 'u' } }),
    template({ shareProcessNamespace: true, hostPID: true }),
    template({ shareProcessNamespace: false, hostPID: true, hostIPC: true }),
    template({ hostUsers: false }),
    template({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
    template({ hostUsers: true, hostNetwork: true }),
  ),
  ask(
    'what a container may do',
    own({ privileged: true }),
    own({ privileged: true, allowPrivilegeEscalation: false }),
    own({ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }),
    own({ capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] }, readOnlyRootFilesystem: true }),
    own({ procMount: 'Default' }),
    own({ procMount: 'Nope' }),
    own({ procMount: '' }),
    own({ procMount: 'Unmasked' }),
    own({ procMount: 'Unmasked' }, { hostUsers: false }),
  ),
  ask(
    'seccomp and AppArmor',
    own({ seccompProfile: { type: 'RuntimeDefault' } }),
    own({ seccompProfile: { type: 'Nope' } }),
    own({ seccompProfile: { type: '' } }),
    own({ seccompProfile: { type: 'Localhost' } }),
    own({ seccompProfile: { type: 'Localhost', localhostProfile: '' } }),
    own({ seccompProfile: { type: 'Localhost', localhostProfile: '/../a' } }),
    own({ seccompProfile: { type: 'Unconfined', localhostProfile: 'a' } }),
    ofPod({ seccompProfile: { type: 'Localhost', localhostProfile: 'a' } }),
    ofPod({ seccompProfile: {} }),
    own({ appArmorProfile: { type: 'RuntimeDefault' } }),
    own({ appArmorProfile: { type: 'Nope' } }),
    own({ appArmorProfile: { type: '' } }),
    own({ appArmorProfile: { type: 'Localhost' } }),
    own({ appArmorProfile: { type: 'Localhost', localhostProfile: '' } }),
    own({ appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } }),
    own({ appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(4096) } }),
    ofPod({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' } }),
  ),
  ask(
    'sysctls',
    [
      'kernel.shm_rmid_forced',
      'net/ipv4/tcp',
      'A',
      'a..b',
      '',
      'a'.repeat(254),
      'net.ipv4.conf.eth0/1.x',
      '-a',
      'a_',
    ].map((name) => sysctl(name)),
    ofPod({
      sysctls: [
        { name: 'a.b', value: '1' },
        { name: 'a.b', value: '2' },
      ],
    }),
    ofPod({
      sysctls: [
        { name: 'a.b', value: '1' },
        { name: 'a/b', value: '2' },
      ],
    }),
    sysctl('net.a', { hostNetwork: true }),
    sysctl('kernel.shm_x', { hostIPC: true }),
    sysctl('kernel.sem', { hostIPC: true }),
    sysctl('fs.mqueue.x', { hostIPC: true }),
    sysctl('net.a', { hostIPC: true }),
  ),
  ask(
    'Windows',
    own({ windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' } }),
    own({
      windowsOptions: {
        gmsaCredentialSpecName: 'a',
        gmsaCredentialSpec: 'x',
        runAsUserName: 'ContainerUser',
      },
    }),
    [
      '',
      'a\\b\\c',
      'a\\',
      '\\a',
      'a b',
      'a:b',
      '...',
      'NT AUTHORITY\\SYSTEM',
      'a.b\\c',
      '-a\\b',
      'a*\\b',
      'a'.repeat(105),
      'x\\y@z',
      '.a\\b',
      'a\u0001b',
      `${'a'.repeat(16)}\\b`,
      `${'d'.repeat(256)}\\b`,
    ].map(user),
    ofPod({ windowsOptions: { hostProcess: true } }),
    ofPod({ windowsOptions: { hostProcess: true } }, { hostNetwork: true }),
    ofPod(
      { windowsOptions: { hostProcess: true } },
      {
        hostNetwork: true,
        containers: [container({ securityContext: { windowsOptions: { hostProcess: false } } })],
      },
    ),
    template({
      hostNetwork: true,
      containers: [
        container({ securityContext: { windowsOptions: { hostProcess: true } } }),
        container({ name: 'd' }),
      ],
    }),
    ofPod({ windowsOptions: {} }, { os: { name: 'linux' } }),
    own({ windowsOptions: {} }, { os: { name: 'linux' } }),
    template({ os: { name: 'windows' } }),
    template({ os: { name: 'bsd' } }),
    template({ os: { name: '' } }),
    template({
      os: { name: 'windows' },
      hostPID: true,
      hostIPC: true,
      hostUsers: false,
      shareProcessNamespace: true,
      hostNetwork: false,
      setHostnameAsFQDN: true,
      securityContext: {
        seLinuxOptions: {},
        seccompProfile: { type: 'Unconfined' },
        appArmorProfile: { type: 'Unconfined' },
        fsGroup: 1,
        fsGroupChangePolicy: 'Always',
        sysctls: [{ name: 'a.b', value: '1' }],
        runAsUser: 1,
        runAsGroup: 1,
        supplementalGroups: [1],
        supplementalGroupsPolicy: 'Merge',
        seLinuxChangePolicy: 'MountOption',
      },
    }),
    own(
      {
        capabilities: {},
        privileged: false,
        seLinuxOptions: {},
        runAsUser: 1,
        runAsGroup: 1,
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: true,
        procMount: 'Default',
        seccompProfile: { type: 'Unconfined' },
        appArmorProfile: { type: 'Unconfined' },
      },
      { os: { name: 'windows' } },
    ),
  ),
  ask(
    'annotations that mean something',
    annotated('kubernetes.io/config.mirror', 'x'),
    annotated('kubernetes.io/config.mirror', 'x', { nodeName: 'n' }),
    annotated('scheduler.alpha.kubernetes.io/tolerations', 'x'),
    annotated('scheduler.alpha.kubernetes.io/tolerations', '[{"key":"a b"}]'),
    annotated('scheduler.alpha.kubernetes.io/tolerations', '[{"key":"a","operator":"Exists"}]'),
    ['x', '+1', '01', '1', '-5', '0', '2147483648', '', '-0', '00'].map((cost) =>
      annotated('controller.kubernetes.io/pod-deletion-cost', cost),
    ),
    ['x', 'runtime/default', 'docker/default', 'unconfined', 'localhost/a', 'localhost//../a', ''].map(
      (profile) => annotated('seccomp.security.alpha.kubernetes.io/pod', profile),
    ),
    annotated('seccomp.security.alpha.kubernetes.io/pod', 'runtime/default', {
      securityContext: { seccompProfile: { type: 'Unconfined' } },
    }),
    annotated('seccomp.security.alpha.kubernetes.io/pod', 'localhost/a', {
      securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'b' } },
    }),
    annotated('seccomp.security.alpha.kubernetes.io/pod', 'localhost/a', {
      securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } },
    }),
    ['x', 'unconfined', 'docker/default'].map((profile) =>
      annotated('container.seccomp.security.alpha.kubernetes.io/c', profile),
    ),
    ['x', '', 'runtime/default', 'unconfined', 'localhost/', 'localhost/x'].map((profile) =>
      annotated('container.apparmor.security.beta.kubernetes.io/c', profile),
    ),
    annotated('container.apparmor.security.beta.kubernetes.io/x', 'unconfined'),
    annotated('container.apparmor.security.beta.kubernetes.io/c', 'unconfined', {
      containers: [container({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } })],
    }),
    annotated('container.apparmor.security.beta.kubernetes.io/c', 'localhost/x', {
      containers: [
        container({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'y' } } }),
      ],
    }),
    annotated('pod.beta.kubernetes.io/init-containers', '[]'),
    annotated('a b', 'x'),
    template({}, { labels: { 'a b': 'c d' } }),
    template({}, { name: 'x', namespace: 'y', finalizers: ['z'] }),
  ),
]);
