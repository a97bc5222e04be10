// Editing an object: the text, its dry run, conflicts with other managers, and undo.
import { signal } from '@preact/signals';
import { RequestError, type Session } from '../api/session.ts';
import {
  conflictsOf,
  dropManagedFields,
  dropServerFields,
  type FieldConflict,
  readYaml,
  type WriteMode,
  writeYaml,
} from '../api/writes.ts';

export interface DryRun {
  readonly before: string;
  readonly after: string;
}

const yamlType = 'application/yaml';

export class Editing {
  readonly text = signal('');
  /** Counts the texts that did not come from the editor. */
  readonly generation = signal(0);
  readonly mode = signal<WriteMode>('apply');
  readonly dryRun = signal<DryRun | undefined>(undefined);
  readonly conflicts = signal<readonly FieldConflict[]>([]);
  readonly problem = signal('');
  readonly isBusy = signal(false);
  readonly isLoaded = signal(false);
  /** Earlier states of the object in this tab, newest last. */
  readonly undoable = signal<readonly string[]>([]);
  readonly #session: Session;
  readonly #path: string;

  constructor(session: Session, path: string) {
    this.#session = session;
    this.#path = path;
  }

  /** Reads the object as it is now, in the form of the mode. */
  async load(mode = this.mode.value): Promise<void> {
    await this.#run(async () => {
      const yaml = await this.#session.text(this.#path, { accept: yamlType });
      this.mode.value = mode;
      this.text.value = mode === 'apply' ? dropServerFields(yaml) : dropManagedFields(yaml);
      this.generation.value++;
      this.#clear();
      this.isLoaded.value = true;
    });
  }

  /** Uses a text instead of the object, such as that of a new object. */
  start(text: string, mode: WriteMode): void {
    this.mode.value = mode;
    this.text.value = text;
    this.isLoaded.value = true;
  }

  /** Asks the server what the write would do. `force`: also to fields of other managers. */
  async preview(force = false): Promise<void> {
    await this.#run(async () => {
      this.#clear();
      const before = this.mode.value === 'create' ? '' : await readYaml(this.#session, this.#path);
      const after = await this.#write(true, force);
      this.dryRun.value = { before: comparable(before), after: comparable(after) };
    });
  }

  /** Returns whether the server accepted the write. */
  async save(force = false): Promise<boolean> {
    return this.#run(async () => {
      const before =
        this.mode.value === 'create' ? undefined : await this.#session.text(this.#path, { accept: yamlType });
      await this.#write(false, force);
      this.#clear();
      if (before !== undefined) this.undoable.value = [...this.undoable.value, before];
    });
  }

  /** Replaces the object by its state before the last write of this tab. */
  async undo(): Promise<boolean> {
    const previous = this.undoable.value.at(-1);
    if (previous === undefined) return false;
    return this.#run(async () => {
      // Without the revision, the write succeeds whatever has happened since.
      const yaml = dropManagedFields(previous).replace(/^ {2}resourceVersion: .*\n/m, '');
      await writeYaml(this.#session, this.#path, { mode: 'replace', yaml, isDryRun: false });
      this.undoable.value = this.undoable.value.slice(0, -1);
      this.#clear();
    });
  }

  #write(isDryRun: boolean, force: boolean): Promise<string> {
    return writeYaml(this.#session, this.#path, {
      mode: this.mode.value,
      yaml: this.text.value,
      isDryRun,
      force,
    });
  }

  #clear(): void {
    this.dryRun.value = undefined;
    this.conflicts.value = [];
    this.problem.value = '';
  }

  async #run(step: () => Promise<void>): Promise<boolean> {
    this.isBusy.value = true;
    try {
      await step();
      return true;
    } catch (error) {
      const conflicts = error instanceof RequestError ? conflictsOf(error) : [];
      this.dryRun.value = undefined;
      this.conflicts.value = conflicts;
      this.problem.value = conflicts.length > 0 ? '' : error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.isBusy.value = false;
    }
  }
}

/** Without fields that every write changes. */
function comparable(yaml: string): string {
  return dropManagedFields(yaml)
    .replace(/^ {2}(?:resourceVersion|generation): .*\n/gm, '')
    .trimEnd();
}
