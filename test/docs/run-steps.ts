import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { orch } from '../support/program.ts';

const execute = promisify(execFile);

export interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks of a page, or of one section of it, each with the output shown for it. */
export function stepsIn(page: string, section?: string): Step[] {
  const whole = readFileSync(page, 'utf8');
  const text = section === undefined ? whole : (whole.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '');
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command, ...lines] = step.trimEnd().split('\n');
        return { command: command!, output: lines.join('\n') };
      }),
  );
}

/** Replaces values that differ from run to run. */
export const normalized = (text: string) =>
  text
    .trimEnd()
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/ready in \d+ ms/, 'ready in N ms')
    .replace(/(\d+)s$/gm, 'Ns')
    .replace(/resourceVersion: "\d+"/g, 'resourceVersion: N')
    // The width of the gutter of orch blame varies.
    .replace(/( +\d+s)? +\|( |$)/gm, ' | ');

const revision = /(resourceVersion(?:": ?"|=))(\d+)/g;

/** The offset between the revisions of a page and those of a server, which creates more objects in each release. */
class Revisions {
  #firstShown: number | undefined;
  #distance = 0;

  learn(shown: string, found: string): void {
    if (this.#firstShown !== undefined) return;
    const [one, other] = [shown, found].map((text) => [...text.matchAll(revision)][0]?.[2]);
    if (one === undefined || other === undefined) return;
    this.#firstShown = Number(one);
    this.#distance = Number(other) - Number(one);
  }

  /** The text with the revisions of the server, from the last one before the page's first on. */
  shift(text: string): string {
    const first = (this.#firstShown ?? Number.POSITIVE_INFINITY) - 1;
    return text.replace(revision, (whole, field: string, digits: string) =>
      Number(digits) < first ? whole : `${field}${Number(digits) + this.#distance}`,
    );
  }
}

/** Runs the commands of a page on a new server, and compares their output with the page. */
export async function runSteps(
  steps: readonly Step[],
  flags: readonly string[] = [],
  path = process.env.PATH,
): Promise<void> {
  assert.ok(steps.length > 2, 'there are commands');
  const folder = mkdtempSync(join(tmpdir(), 'orch-docs-'));
  const [http, secure] = [String(await freePort()), String(await freePort())];
  const here = (text: string) => text.replaceAll(':8080', `:${http}`).replaceAll(':6443', `:${secure}`);
  const ports = ['--http-port', http, '--secure-port', secure];
  const server = orch('dev', '--data-dir', join(folder, '.orch'), ...ports, ...flags);
  const program = join(folder, 'orch');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/main.ts')}' "$@"\n`);
  chmodSync(program, 0o700);
  try {
    await server.printed(/kubectl .*\n/);
    const revisions = new Revisions();
    /** A reader types all commands into one shell, where variables stay set. */
    const variables: string[] = [];
    for (const { command, output } of steps) {
      const options = { cwd: folder, env: { PATH: `${folder}:${path}`, HOME: folder } };
      const script = [...variables, here(command)];
      const [, variable] = /^(\w+)=/.exec(command) ?? [];
      if (variable !== undefined) script.push(`printf %s "$${variable}"`);
      const { stdout } = await execute('sh', ['-c', script.join('\n')], options);
      if (variable !== undefined) {
        variables.push(`${variable}='${stdout}'`);
        continue;
      }
      revisions.learn(output, stdout);
      assert.equal(normalized(stdout), normalized(revisions.shift(here(output))), command);
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
