// npm run build:image: dist/orch-image.tar, an OCI image of the single executable, made without a container engine.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orchVersion } from '../src/base/version.ts';
import { mallocSettings } from '../src/cli/malloc-settings.ts';
import { lmdbAddon } from './executable/lmdb-addon.ts';
import { writeImage } from './image/oci-layout.ts';
import { sharedLibraries } from './image/shared-libraries.ts';

const executable = resolve('dist/orch');
const root = resolve('dist/image');
const target = resolve('dist/orch-image.tar');
/** The user of distroless images. */
const user = 65532;

if (!existsSync(executable)) {
  const { status } = spawnSync(process.execPath, ['scripts/build-executable.ts'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
rmSync(root, { recursive: true, force: true });

// The program, the libraries that it is linked with, and names for the user.
const programs = join(root, 'usr/local/bin');
mkdirSync(programs, { recursive: true });
copyFileSync(executable, join(programs, 'orch'));
copyFileSync(lmdbAddon(), join(programs, 'orch-lmdb.node'));
for (const library of sharedLibraries(executable, lmdbAddon())) {
  const copy = join(root, library);
  mkdirSync(dirname(copy), { recursive: true });
  // Where the path is a link: the file itself.
  copyFileSync(library, copy);
}
mkdirSync(join(root, 'etc'));
writeFileSync(
  join(root, 'etc/passwd'),
  `root:x:0:0:root:/root:/sbin/nologin\norch:x:${user}:${user}:orch:/var/lib/orch:/sbin/nologin\n`,
);
writeFileSync(join(root, 'etc/group'), `root:x:0:\norch:x:${user}:\n`);
writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
mkdirSync(join(root, 'var/lib/orch'), { recursive: true });
// Where a container engine mounts file systems: with a read-only root it cannot create them.
for (const mountPoint of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(join(root, mountPoint));

const bytes = writeImage({
  target,
  layers: [
    { folder: root, paths: readdirSync(root), owner: 0 },
    // What the user may write to where no volume is mounted.
    { folder: root, paths: ['var/lib/orch'], owner: user },
  ],
  configuration: {
    User: `${user}:${user}`,
    ExposedPorts: { '6443/tcp': {} },
    Env: [
      'PATH=/usr/local/bin',
      ...Object.entries(mallocSettings).map(([name, value]) => `${name}=${value}`),
    ],
    Entrypoint: ['/usr/local/bin/orch'],
    Cmd: ['serve', '--dialect', 'kubernetes', '--data-dir', '/var/lib/orch'],
    WorkingDir: '/var/lib/orch',
    Volumes: { '/var/lib/orch': {} },
    StopSignal: 'SIGTERM',
    Labels: {
      'org.opencontainers.image.title': 'Orch',
      'org.opencontainers.image.version': orchVersion,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  },
  tag: `orch:${orchVersion}`,
});
rmSync(root, { recursive: true });
console.log(
  `${target}: ${(bytes / 1e6).toFixed(1)} MB; load it with: podman load -i ${target}, or docker load -i ${target}`,
);
