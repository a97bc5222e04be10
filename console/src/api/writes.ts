// Writes: server-side apply, replacement and creation of YAML, each also as a dry run, and the conflicts of an apply.
import type { JsonValue } from '../../../src/codec/json/json-value.ts';
import { encodeYaml } from '../../../src/codec/yaml/encode.ts';
import type { RequestError, Session, StatusCause } from './session.ts';

/** The field manager of the console. */
const consoleManager = 'orch-console';

export type WriteMode = 'apply' | 'replace' | 'create';

export interface WriteOptions {
  readonly mode: WriteMode;
  readonly yaml: string;
  readonly isDryRun: boolean;
  /** Takes fields that other managers own. */
  readonly force?: boolean;
}

const yamlType = 'application/yaml';

/** Sends the YAML as it is; the server parses it. Returns the object as the server would store it, as YAML. */
export async function writeYaml(session: Session, path: string, options: WriteOptions): Promise<string> {
  const { mode, yaml, isDryRun, force = false } = options;
  const query = new URLSearchParams({ fieldManager: consoleManager, fieldValidation: 'Strict' });
  if (isDryRun) query.set('dryRun', 'All');
  if (mode === 'apply' && force) query.set('force', 'true');
  // JSON, also for the Status of a rejection.
  const object = await session.json<JsonValue>(`${path}?${query}`, {
    method: { apply: 'PATCH', replace: 'PUT', create: 'POST' }[mode],
    body: yaml,
    contentType: mode === 'apply' ? 'application/apply-patch+yaml' : yamlType,
  });
  return encodeYaml(object);
}

/** The object as YAML in the layout of a dry run. */
export async function readYaml(session: Session, path: string): Promise<string> {
  return encodeYaml(await session.json<JsonValue>(path));
}

/** A field of an apply that another manager owns. */
export interface FieldConflict {
  readonly field: string;
  readonly message: string;
}

/** The conflicts of a rejected apply; empty for another rejection. */
export function conflictsOf(error: RequestError): readonly FieldConflict[] {
  return error.causes
    .filter(({ reason }: StatusCause) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ field, message }));
}

/** The YAML without managedFields, which nobody edits. */
export function dropManagedFields(yaml: string): string {
  return yaml.replace(/^ {2}managedFields:\n(?: {2}- .*\n| {4}.*\n)*/m, '');
}

/** The YAML without status and what the server sets, for an apply that claims only what the user means. */
export function dropServerFields(yaml: string): string {
  return dropManagedFields(yaml)
    .replace(/^ {2}(?:creationTimestamp|generation|resourceVersion|uid|selfLink): .*\n/gm, '')
    .replace(/^status:(?: .*\n|\n(?: .*\n|- .*\n)*)/m, '');
}
