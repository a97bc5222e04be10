// Runs after `npm install` in this folder. If npm installs the package from git, which it does in a clone in its cache, it builds dist/;
// in a checkout it does nothing.
import { spawnSync } from 'node:child_process';

if (/[\\/]tmp[\\/]git-clone/.test(process.cwd())) {
  const { status } = spawnSync(process.execPath, ['scripts/launch.mjs', 'scripts/build.ts'], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
