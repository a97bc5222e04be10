// Builds Go programs, one package at a time because the machine has other things to do, and once for all runs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** Where what was built for this run stays. */
const builtFolder = join(tmpdir(), 'orch-clients-go');

/** Builds the program of a folder, or finds that nothing has changed, and says where it is. */
export async function buildProgram(go: string, folder: string, name: string): Promise<string> {
  const program = join(builtFolder, name);
  await run(go, ['build', '-p', '1', '-o', program, '.'], { cwd: folder, maxBuffer });
  return program;
}

/** Builds the tests of a package of a module, once, and says where they are. */
export async function buildTests(go: string, module: string, path: string): Promise<string> {
  const program = join(builtFolder, `${path.replaceAll('/', '-')}.test`);
  if (existsSync(program)) return program;
  console.log(`building the tests of ${path}`);
  await run(go, ['test', '-c', '-p', '1', '-o', program, `./${path}`], { cwd: module, maxBuffer });
  return program;
}

/** Fetches a module, once, into a folder that its tests may write to, and says where that is. */
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

/** Go keeps its modules write-protected, and does not keep which files are programs. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(path);
    else if (entry.isFile()) await chmod(path, path.endsWith('.sh') ? 0o755 : 0o644);
  }
}
