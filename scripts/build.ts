// npm run build: bundles dist/ for the npm package: JavaScript for Node 20 and later, and type declarations.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { buildConsole } from '../console/build.ts';

rmSync('dist', { recursive: true, force: true });

const options: BuildOptions = {
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

await build({
  ...options,
  entryPoints: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    'write-thread': 'src/workers/thread-main.ts',
    'serving-thread': 'src/server/threads/thread-main.ts',
    'pattern-thread': 'src/apis/apiextensions/pattern-thread-main.ts',
  },
  splitting: true,
  format: 'esm',
});
chmodSync('dist/main.js', 0o755);
await buildConsole(resolve('dist/console'));

// For programs that use `require`, such as tests with Jest: older versions of Node, and Jest, cannot require ES modules.
await build({
  ...options,
  entryPoints: { index: 'src/index.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'moduleUrl' },
  supported: { 'dynamic-import': false },
});
copyFileSync('scripts/package/index.d.cts', 'dist/index.d.cts');

const types = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.types.json'],
  {
    stdio: 'inherit',
  },
);
process.exitCode = types.status ?? 1;
