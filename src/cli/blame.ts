// `orch blame`: shows which manager owns which field of an object, and since when.
import type { JsonObject } from '../codec/json/json-value.ts';
import { formatPath } from '../patch/apply/field-set.ts';
import type { Blame, FieldOwner } from './blame/blame.ts';
import { type BlameSettings, blameDefaults, blameFlags, readBlameArgs } from './blame/settings.ts';
import type { Command, Terminal } from './command.ts';
import { flagHelp } from './flag-help.ts';

export const blame: Command = {
  name: 'blame',
  usage: 'KIND NAME [FLAGS]',
  about: 'show an object with the field manager of each field',
  flags: blameFlags,
  help: () => [
    'Shows an object as YAML with, on the left of each field, its field manager, the operation (Apply or Update, and the',
    'subresource) and the age of the last write. Fields without a manager belong to the server. Works with every server that',
    'maintains managedFields, in either dialect.',
    '',
    '  orch blame deployment web -n shop',
    '  orch blame deploy/web',
    '  orch blame deployments.apps web --output json',
    ...flagHelp(blameFlags, blameDefaults),
  ],
  async run(args, terminal) {
    const { settings, kind, name } = readBlameArgs(args);
    const object = await fetchObject(settings, kind, name);
    await print(object, settings.output, terminal);
    return 0;
  },
};

/** HTTP is loaded here, so that help and version do not load it. */
async function fetchObject(settings: BlameSettings, kind: string, name: string): Promise<JsonObject> {
  const [{ resolveClusterAccess }, { Connection }, { readObject }] = await Promise.all([
    import('./cluster/resolve-access.ts'),
    import('./cluster/connection.ts'),
    import('./cluster/read-object.ts'),
  ]);
  const access = await resolveClusterAccess(settings, process.env);
  const connection = new Connection(access);
  try {
    return await readObject(connection, kind, name, settings.namespace ?? access.namespace);
  } finally {
    connection.close();
  }
}

async function print(object: JsonObject, output: BlameSettings['output'], terminal: Terminal): Promise<void> {
  const { computeBlame } = await import('./blame/blame.ts');
  const ownership = computeBlame(object);
  if (output === 'json') {
    const { blameAsJson } = await import('./blame/json-output.ts');
    terminal.out(blameAsJson(object, ownership));
    return;
  }
  const { ownedLines } = await import('./blame/lines.ts');
  const { paintByOwner, noPaint, withGutter } = await import('./blame/gutter.ts');
  const paint = terminal.inColor ? paintByOwner(ownership.owners) : noPaint;
  for (const line of withGutter(ownedLines(ownership.root), Date.now(), paint)) terminal.out(line);
  printNotes(ownership, terminal);
}

/** Explains on stderr what the lines of the object cannot show. */
function printNotes({ owners, missing, unreadable }: Blame, terminal: Terminal): void {
  if (owners.length === 0) {
    terminal.err(
      'The object has no managedFields: they were cleared, or this server does not maintain them. The next write adds them.',
    );
  }
  for (const owner of unreadable) {
    terminal.err(`The fieldsV1 of ${formatOwner(owner)} has a format that this version cannot read.`);
  }
  for (const owner of owners) {
    const paths = missing.filter((field) => field.owner === owner).map(({ path }) => formatPath(path));
    if (paths.length === 0) continue;
    const listed = paths.slice(0, maxPaths).join(', ');
    const hiddenCount = paths.length - maxPaths;
    const more = hiddenCount > 0 ? ` and ${hiddenCount} more` : '';
    terminal.err(
      `${formatOwner(owner)} also owns fields that are not in this version of the object: ${listed}${more}`,
    );
  }
}

/** Paths that the message about a manager's missing fields lists. */
const maxPaths = 5;

function formatOwner({ manager, operation, apiVersion }: FieldOwner): string {
  return `${manager} (${operation}, ${apiVersion})`;
}
