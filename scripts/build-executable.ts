// npm run build:executable: dist/orch, a single executable that needs no Node.js on the machine (Node's single executable
// applications). It is Node itself with the bundled program, its worker threads and the addon of LMDB as a blob.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { buildConsole } from '../console/build.ts';
import { lmdbAddon } from './executable/lmdb-addon.ts';

const folder = resolve('dist/executable');
const target = resolve('dist/orch');
/** Where Node looks for the blob. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** LMDB finds its addon by searching folders. The executable has none, and loads it from its assets. */
const addonLoader: Plugin = {
  name: 'addon-loader',
  setup({ onResolve }) {
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({
      path: resolve('scripts/executable/load-addon.ts'),
    }));
  },
};

await build({
  entryPoints: {
    main: 'src/executable.ts',
    'write-thread': 'src/workers/thread-main.ts',
    'serving-thread': 'src/server/threads/thread-main.ts',
    'pattern-thread': 'src/apis/apiextensions/pattern-thread-main.ts',
  },
  outdir: folder,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: true,
  // Workers are started from embedded text instead of files.
  define: { 'import.meta.url': '"file:///orch/main.js"', 'import.meta.dirname': '"/orch"' },
  // A single executable cannot import files.
  supported: { 'dynamic-import': false },
  // Faster addons of ws and msgpackr, which do without.
  external: ['bufferutil', 'utf-8-validate', 'msgpackr-extract'],
  plugins: [addonLoader],
  logLevel: 'warning',
});

const consoleFolder = join(folder, 'console');
const { files: consoleFiles } = await buildConsole(consoleFolder);

// A function of the executable's `require`.
const program = join(folder, 'program.js');
const head =
  '(function(require){var module={exports:{}},exports=module.exports,__filename="/orch/main.js",__dirname="/orch";';
writeFileSync(program, `${head}${readFileSync(join(folder, 'main.js'), 'utf8')}\n})`);
run(process.execPath, 'scripts/executable/compile-program.ts', folder);
const cache = join(folder, 'program.cache');
const { cachedDataRejected } = new Script(readFileSync(program, 'utf8'), {
  filename: 'orch.js',
  cachedData: readFileSync(cache),
});
if (cachedDataRejected) throw new Error('V8 rejects the compiled program');

const config = join(folder, 'config.json');
const blob = join(folder, 'orch.blob');
writeFileSync(
  config,
  JSON.stringify({
    main: resolve('scripts/executable/start.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    assets: {
      'program.js': program,
      'program.cache': cache,
      'write-thread.js': join(folder, 'write-thread.js'),
      'serving-thread.js': join(folder, 'serving-thread.js'),
      'pattern-thread.js': join(folder, 'pattern-thread.js'),
      'lmdb.node': lmdbAddon(),
      ...Object.fromEntries(consoleFiles.map((name) => [`console/${name}`, join(consoleFolder, name)])),
    },
  }),
);
run(process.execPath, '--experimental-sea-config', config);
copyFileSync(process.execPath, target);
chmodSync(target, 0o755);
// Debug symbols are a tenth of its size. Where there is no strip, it works as well.
if (spawnSync('strip', ['--strip-all', target]).status !== 0)
  console.log('strip is not installed: symbols are kept');
run(
  process.execPath,
  'node_modules/postject/dist/cli.js',
  target,
  'NODE_SEA_BLOB',
  blob,
  '--sentinel-fuse',
  fuse,
);
rmSync(folder, { recursive: true });
console.log(`${target}: ${(statSync(target).size / 1e6).toFixed(1)} MB`);

function run(program: string, ...words: string[]): void {
  const { status, stderr, stdout } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`);
}
