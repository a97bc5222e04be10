import { readFileSync } from 'node:fs';
import type { Environment } from './kubectl.ts';
import type { Workspace } from './workspace.ts';

/** The replacement that the editor makes when it is opened. */
type Edit = readonly [find: string, put: string];

/**
 * An editor for `kubectl edit`: each time it is opened it makes the next of the given edits, and it records the text that
 * it was opened with.
 */
export class Editor {
  readonly environment: Environment;
  readonly #shown: string;

  /** `meanwhile`: a command that runs while the file is open. */
  constructor(work: Workspace, name: string, edits: readonly Edit[], meanwhile: readonly string[] = []) {
    this.#shown = work.file(`${name}-shown.json`, '[]');
    const program = work.file(
      `${name}.mjs`,
      `import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const edits = ${JSON.stringify(edits)};
const log = ${JSON.stringify(this.#shown)};
const file = process.argv[2];
const shown = JSON.parse(readFileSync(log, 'utf8'));
const text = readFileSync(file, 'utf8');
writeFileSync(log, JSON.stringify([...shown, text]));
const [program, ...args] = ${JSON.stringify(meanwhile)};
if (program) execFileSync(program, args);
const [find, put] = edits[shown.length] ?? ['', ''];
if (!text.includes(find)) throw new Error(find + ' is not in ' + text);
writeFileSync(file, text.replace(find, put));
`,
    );
    this.environment = { EDITOR: `${process.execPath} ${program}` };
  }

  /** The texts it was opened with. */
  get shown(): string[] {
    return JSON.parse(readFileSync(this.#shown, 'utf8'));
  }
}
