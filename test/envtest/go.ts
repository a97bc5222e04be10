// Builds Go programs, one package at a time to limit the load, and caches them across runs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** The folder of programs built for this run. */
const builtFolder = join(tmpdir(), 'orch-clients-go');

/** Builds the program of a folder if it has changed, and returns its path. */
export async function buildProgram(go: string, folder: string, name: string): Promise<string> {
  const program = join(builtFolder, name);
  await run(go, ['build', '-p', '1', '-o', program, '.'], { cwd: folder, maxBuffer });
  return program;
}

/** Builds the tests of a package of a module, once, and returns their path. */
export async function buildTests(go: string, module: string, path: string): Promise<string> {
  const program = join(module, `${path.replaceAll('/', '-')}.test`);
  if (existsSync(program)) return program;
  console.log(`building the tests of ${path}`);
  await run(go, ['test', '-c', '-p', '1', '-o', program, `./${path}`], { cwd: module, maxBuffer });
  return program;
}

/** Downloads a module, once, into a writable folder, and returns the path. */
export async function fetchModule(go: string, module: string, version: string): Promise<string> {
  const folder = join(builtFolder, `${module.split('/').at(-1)}-${version}`);
  if (existsSync(join(folder, 'go.mod'))) return folder;
  await mkdir(builtFolder, { recursive: true });
  const { stdout } = await run(go, ['mod', 'download', '-json', `${module}@${version}`], { maxBuffer });
  const { Dir: fetched } = JSON.parse(stdout) as { Dir: string };
  await cp(fetched, folder, { recursive: true });
  await makeWritable(folder);
  return folder;
}

/** The module cache of Go is read-only and loses the executable bit of files. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(path);
    else if (entry.isFile()) await chmod(path, path.endsWith('.sh') ? 0o755 : 0o644);
  }
}
