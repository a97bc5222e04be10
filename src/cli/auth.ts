// `orch auth`: checks permissions (can-i) and lists who has them (who-can).
import { nearest } from '../base/nearest.ts';
import { type AuthArgs, authDefaults, authFlags, readAuthArgs } from './auth/settings.ts';
import { type Command, CommandError, type Terminal } from './command.ts';
import { flagHelp } from './flag-help.ts';

type Action = (session: Session, args: AuthArgs, terminal: Terminal) => Promise<number>;

/** A connection and its default namespace. */
interface Session {
  readonly connection: import('./cluster/connection.ts').Connection;
  readonly namespace: string;
}

const actions: Readonly<Record<string, Action>> = {
  async 'can-i'({ connection, namespace }, args, terminal) {
    const { canI, listRules } = await import('./auth/can-i.ts');
    const { list, as, asGroups = [], namespace: said = namespace } = args.settings;
    const asker = { connection, terminal, ...(as !== undefined && { as: { user: as, groups: asGroups } }) };
    if (list) {
      await listRules(asker, said);
      return 0;
    }
    const question = await readCarefully(connection, args, namespace, terminal);
    return (await canI(asker, question)) ? 0 : 1;
  },
  async 'who-can'({ connection, namespace }, args, terminal) {
    refuseForWhoCan(args);
    const [{ whoCan }, { columns }, { spoken }] = await Promise.all([
      import('./auth/who-can.ts'),
      import('./columns.ts'),
      import('./auth/question.ts'),
    ]);
    const question = await readCarefully(connection, args, namespace, terminal);
    const grantees = await whoCan(connection, question);
    if (grantees.length === 0) {
      terminal.err(`No binding allows any subject to ${spoken(question)}.`);
      return 1;
    }
    const rows = grantees.map(({ subject, binding, role }) => [subject, binding, role]);
    for (const line of columns([['WHO', 'BY', 'OF'], ...rows])) terminal.out(line);
    return 0;
  },
};

export const auth: Command = {
  name: 'auth',
  usage: 'can-i|who-can VERB RESOURCE[/NAME] [FLAGS]',
  about: 'check permissions, and list who has them and by which binding',
  help: () => [
    'can-i asks the server whether a request is allowed. who-can reads roles and bindings, and lists the subjects that are',
    'allowed. RESOURCE is a name as in kubectl, or a non-resource URL such as /metrics. Works in both dialects.',
    '',
    '  orch auth can-i create deployments -n shop',
    '  orch auth can-i get pods/web --subresource log --as alice',
    '  orch auth can-i --list -n shop',
    '  orch auth who-can delete secrets -n shop',
    ...flagHelp(authFlags, authDefaults),
  ],
  async run([name = '', ...rest], terminal) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      const meant = nearest(name, Object.keys(actions));
      const hint = meant ? ` (did you mean ${meant}?)` : '';
      throw new CommandError(`an action is required: orch auth can-i|who-can VERB RESOURCE${hint}`);
    }
    return withServer(readAuthArgs(name, rest), action, terminal);
  },
};

/** Loaded lazily, so that help and version do not load HTTP. */
async function withServer(args: AuthArgs, action: Action, terminal: Terminal): Promise<number> {
  const [{ chosenAccess }, { Connection }] = await Promise.all([
    import('./cluster/chosen-access.ts'),
    import('./cluster/connection.ts'),
  ]);
  const access = await chosenAccess(args.settings, process.env);
  const connection = new Connection(access);
  try {
    return await action({ connection, namespace: access.namespace }, args, terminal);
  } finally {
    connection.close();
  }
}

async function readCarefully(
  connection: Session['connection'],
  args: AuthArgs,
  namespace: string,
  terminal: Terminal,
) {
  const { readQuestion } = await import('./auth/question.ts');
  const question = await readQuestion(connection, args, namespace);
  if (question.isUnknown) {
    terminal.err(
      `Warning: the server has no resource ${JSON.stringify(args.what)}; RBAC rules may still name it.`,
    );
  }
  return question;
}

function refuseForWhoCan({ settings: { list, as } }: AuthArgs): void {
  const misplaced = list ? '--list' : as === undefined ? undefined : '--as';
  if (misplaced) throw new CommandError(`${misplaced} works only with orch auth can-i`);
}
