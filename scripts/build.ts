// npm run build: bundles dist/ for the npm package: JavaScript for Node 20 and later, and type declarations.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    'write-thread': 'src/workers/thread-main.ts',
    'pattern-thread': 'src/apis/apiextensions/pattern-thread-main.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
chmodSync('dist/main.js', 0o755);

const types = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.types.json'],
  {
    stdio: 'inherit',
  },
);
process.exitCode = types.status ?? 1;
