// `orch node`: lets simulated nodes fail and recover.
import type { Command } from './command.ts';
import { flagHelp } from './flag-help.ts';
import { nodeDefaults, nodeFlags, readNodeArgs } from './node/settings.ts';

const help = () => [
  'Lets simulated nodes (--nodes) fail and recover, in either dialect. The kubelet of a failed node stops: it renews',
  'no Lease, changes no pod, and answers no requests for logs or exec. What follows is up to the node lifecycle controller.',
  '',
  '  orch node fail node-0',
  '  orch node recover node-0 node-1',
  ...flagHelp(nodeFlags, nodeDefaults),
];

export const node: Command = {
  name: 'node',
  usage: 'fail|recover NAME... [FLAGS]',
  about: 'let simulated nodes fail and recover',
  actions: {
    fail: { usage: 'fail NAME... [FLAGS]', help },
    recover: { usage: 'recover NAME... [FLAGS]', help },
  },
  flags: nodeFlags,
  help,
  async run(args, terminal) {
    const { settings, action, names } = readNodeArgs(args);
    // Loaded lazily, so that help and version do not load HTTP.
    const [{ resolveClusterAccess }, { Connection }, { setFailure }] = await Promise.all([
      import('./cluster/resolve-access.ts'),
      import('./cluster/connection.ts'),
      import('./node/set-failure.ts'),
    ]);
    const connection = new Connection(await resolveClusterAccess(settings, process.env));
    try {
      for (const name of names) {
        await setFailure(connection, name, action === 'fail');
        terminal.out(`node ${name} ${action === 'fail' ? 'failed' : 'recovered'}`);
      }
      return 0;
    } finally {
      connection.close();
    }
  },
};
