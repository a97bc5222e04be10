// Builds the web console with esbuild: hashed scripts and styles, compressed copies, and a manifest for the server.
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'node_modules', '.cache', 'console');
const inputsFile = join(cache, 'inputs.json');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface BuiltEntry {
  readonly contentType: string;
  readonly etag: string;
  readonly immutable: boolean;
  /** The file of each content coding. */
  readonly encodings: Record<string, string>;
}

const options: BuildOptions = {
  absWorkingDir: root,
  entryPoints: { app: 'console/src/main.tsx', styles: 'console/src/styles.css' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  // Functions of src/ that the console shares with the server use a few functions of Node's Buffer.
  inject: ['console/src/api/buffer.ts'],
  metafile: true,
  logLevel: 'warning',
};

interface ConsoleBuild {
  /** The names of all files in the folder. */
  readonly files: readonly string[];
  /** The sources of the bundle in this repository; some are files of `src/`. */
  readonly inputs: readonly string[];
}

export async function buildConsole(folder: string): Promise<ConsoleBuild> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({ ...options, outdir: folder });
  const outputs = Object.entries(metafile!.outputs);
  const outputOf = (entryPoint: string) => {
    const [path] = outputs.find(([, output]) => output.entryPoint === entryPoint)!;
    return relative(folder, join(root, path)).replaceAll('\\', '/');
  };
  const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
    .replace('{{script}}', outputOf('console/src/main.tsx'))
    .replace('{{styles}}', outputOf('console/src/styles.css'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'icon.svg'), readFileSync(join(import.meta.dirname, 'icon.svg')));
  const names = ['index.html', 'icon.svg', ...globSync('assets/*', { cwd: folder })].map((name) =>
    name.replaceAll('\\', '/'),
  );
  const files = Object.fromEntries(names.map((name) => [name, addCompressed(folder, name)]));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files }));
  return {
    files: ['manifest.json', ...Object.values(files).flatMap(({ encodings }) => Object.values(encodings))],
    inputs: [
      ...Object.keys(metafile!.inputs).filter((file) => !file.startsWith('node_modules/')),
      'console/index.html',
      'console/icon.svg',
      'console/build.ts',
      'package-lock.json',
    ],
  };
}

/** Compresses as well as possible: it is done once. A copy that saves little is left out. */
function addCompressed(folder: string, name: string): BuiltEntry {
  const body = readFileSync(join(folder, name));
  const encodings: Record<string, string> = { identity: name };
  const compressed = {
    br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gzip: gzipSync(body, { level: 9 }),
  };
  for (const [coding, bytes] of Object.entries(compressed)) {
    if (bytes.length > body.length * 0.9) continue;
    encodings[coding] = `${name}.${coding}`;
    writeFileSync(join(folder, encodings[coding]), bytes);
  }
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`,
    immutable: name.startsWith('assets/'),
    encodings,
  };
}

/** Builds the console of a checkout if a source file has changed since the last build, and returns its folder. */
export async function buildConsoleForSource(): Promise<string> {
  const knownInputs = readInputs();
  const known = knownInputs && folderOf(knownInputs);
  if (known !== undefined && isBuilt(known)) return known;
  // Several processes may build at the same time: the first one to finish provides the folder.
  const own = join(cache, `build-${process.pid}`);
  const { inputs } = await buildConsole(own);
  writeFileSync(inputsFile, JSON.stringify(inputs));
  const folder = folderOf(inputs);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

/** The sources of the last build. */
function readInputs(): readonly string[] | undefined {
  try {
    return JSON.parse(readFileSync(inputsFile, 'utf8')) as string[];
  } catch {
    return undefined;
  }
}

/** Changes with every source. */
function folderOf(inputs: readonly string[]): string {
  const modified = inputs.map((file) => [
    file,
    statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs,
  ]);
  return join(cache, createHash('sha256').update(JSON.stringify(modified)).digest('hex').slice(0, 16));
}

function isBuilt(folder: string): boolean {
  try {
    return statSync(join(folder, 'manifest.json')).isFile();
  } catch {
    return false;
  }
}
