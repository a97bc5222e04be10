// `orch auth`: checks permissions (can-i) and lists who has them (who-can).
import { nearest } from '../base/nearest.ts';
import { type AuthArgs, authDefaults, authFlags, readAuthArgs } from './auth/settings.ts';
import { type Command, CommandError, type Terminal } from './command.ts';
import { flagHelp } from './flag-help.ts';
import { printDocument } from './output.ts';

/** Runs `can-i` or `who-can` and resolves with the exit code. */
type Action = (session: Session, args: AuthArgs, terminal: Terminal) => Promise<number>;

/** A connection and its default namespace. */
interface Session {
  readonly connection: import('./cluster/connection.ts').Connection;
  readonly namespace: string;
}

const actions: Readonly<Record<string, Action>> = {
  async 'can-i'({ connection, namespace }, args, terminal) {
    const { canI, listRules } = await import('./auth/can-i.ts');
    const { list, output, as, asGroups = [], namespace: checkedNamespace = namespace } = args.settings;
    const impersonation = as === undefined ? {} : { as: { user: as, groups: asGroups } };
    const context = { connection, terminal, output, ...impersonation };
    if (list) {
      await listRules(context, checkedNamespace);
      return 0;
    }
    const check = await resolveCheck(connection, args, namespace, terminal);
    return (await canI(context, check)) ? 0 : 1;
  },
  async 'who-can'({ connection, namespace }, args, terminal) {
    rejectCanIFlags(args);
    const [{ whoCan }, { alignColumns }, { describeAccessCheck }] = await Promise.all([
      import('./auth/who-can.ts'),
      import('./columns.ts'),
      import('./auth/access-check.ts'),
    ]);
    const check = await resolveCheck(connection, args, namespace, terminal);
    const grantees = await whoCan(connection, check);
    const { output } = args.settings;
    if (output !== 'text') {
      await printDocument(
        terminal,
        output,
        grantees.map(({ subject, binding, role }) => ({ subject, binding, role })),
      );
      return grantees.length === 0 ? 1 : 0;
    }
    if (grantees.length === 0) {
      terminal.err(`No binding allows any subject to ${describeAccessCheck(check)}.`);
      return 1;
    }
    const rows = grantees.map(({ subject, binding, role }) => [subject, binding, role]);
    for (const line of alignColumns([['SUBJECT', 'BINDING', 'ROLE'], ...rows])) terminal.out(line);
    return 0;
  },
};

export const auth: Command = {
  name: 'auth',
  usage: 'can-i|who-can VERB RESOURCE[/NAME] [FLAGS]',
  about: 'check permissions, and list who has them and by which binding',
  actions: {
    'can-i': {
      usage: 'can-i VERB RESOURCE[/NAME] [FLAGS], or can-i --list [FLAGS]',
      help: () => [
        'Asks the server whether a request is allowed. The exit code is 1 if it is not.',
        '',
        '  orch auth can-i create deployments -n shop',
        '  orch auth can-i get pods/web --subresource log --as alice',
        '  orch auth can-i --list -n shop',
        ...flagHelp(authFlags, authDefaults),
      ],
    },
    'who-can': {
      usage: 'who-can VERB RESOURCE[/NAME] [FLAGS]',
      help: () => [
        'Reads roles and bindings, and lists the subjects that are allowed.',
        '',
        '  orch auth who-can delete secrets -n shop',
        ...flagHelp(
          authFlags.filter(({ about }) => !about.startsWith('can-i:')),
          authDefaults,
        ),
      ],
    },
  },
  flags: authFlags,
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
  async run([name = '', ...args], terminal) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      const suggestion = nearest(name, Object.keys(actions));
      const hint = suggestion ? ` (did you mean ${suggestion}?)` : '';
      throw new CommandError(`an action is required: orch auth can-i|who-can VERB RESOURCE${hint}`);
    }
    return withConnection(readAuthArgs(name, args), action, terminal);
  },
};

/** Runs an action with a connection. HTTP is loaded here, so that help and version do not load it. */
async function withConnection(args: AuthArgs, action: Action, terminal: Terminal): Promise<number> {
  const [{ resolveClusterAccess }, { Connection }] = await Promise.all([
    import('./cluster/resolve-access.ts'),
    import('./cluster/connection.ts'),
  ]);
  const access = await resolveClusterAccess(args.settings, process.env);
  const connection = new Connection(access);
  try {
    return await action({ connection, namespace: access.namespace }, args, terminal);
  } finally {
    connection.close();
  }
}

/** Resolves the arguments to an access check. Warns about a resource that the server does not have. */
async function resolveCheck(
  connection: Session['connection'],
  args: AuthArgs,
  namespace: string,
  terminal: Terminal,
) {
  const { resolveAccessCheck } = await import('./auth/access-check.ts');
  const check = await resolveAccessCheck(connection, args, namespace);
  if (check.isUnknown) {
    terminal.err(
      `Warning: the server has no resource ${JSON.stringify(args.target)}; RBAC rules may still name it.`,
    );
  }
  return check;
}

function rejectCanIFlags({ settings: { list, as } }: AuthArgs): void {
  if (list) throw new CommandError('--list works only with orch auth can-i');
  if (as !== undefined) throw new CommandError('--as works only with orch auth can-i');
}
