// `orch volume`: renders the files of a pod's volume as the kubelet would write them.
import type { Pod } from '../apis/core/pod.ts';
import { systemClock } from '../base/clock.ts';
import { type Command, CommandError } from './command.ts';
import { flagHelp } from './flag-help.ts';
import { outputDefaults, printDocument } from './output.ts';
import { readVolumeArgs, volumeFlags } from './volume/settings.ts';

const help = () => [
  'Shows the files of a configMap, secret, downwardAPI or projected volume as the kubelet would write them: paths, modes',
  'and contents. Requests a token for each serviceAccountToken source. Fails where the pod would wait for the volume.',
  'Secrets and tokens are printed in the clear.',
  '',
  '  orch volume render web config',
  '  orch volume render web kube-api-access -n shop --out ./volume',
  ...flagHelp(volumeFlags, outputDefaults),
];

export const volume: Command = {
  name: 'volume',
  usage: 'render POD VOLUME [FLAGS]',
  about: 'render the files of a pod volume',
  actions: { render: { usage: 'render POD VOLUME [FLAGS]', help } },
  flags: volumeFlags,
  help,
  async run(args, terminal) {
    const { settings, pod: podName, volume: volumeName } = readVolumeArgs(args);
    // Loaded lazily, so that help and version do not load HTTP.
    const [
      { resolveClusterAccess },
      { Connection },
      { readObject },
      { ClusterReader },
      { filesDocument, printFiles },
    ] = await Promise.all([
      import('./cluster/resolve-access.ts'),
      import('./cluster/connection.ts'),
      import('./cluster/read-object.ts'),
      import('./volume/cluster-reader.ts'),
      import('./volume/print-files.ts'),
    ]);
    const [{ renderVolume }, { TokenKeeper }, { VolumeProblem }, { writeVolume }] = await Promise.all([
      import('../volumes/render-volume.ts'),
      import('../volumes/token-keeper.ts'),
      import('../volumes/volume-files.ts'),
      import('../volumes/write-volume.ts'),
    ]);
    const access = await resolveClusterAccess(settings, process.env);
    const connection = new Connection(access);
    try {
      const namespace = settings.namespace ?? access.namespace;
      const pod = await readObject(connection, 'pods', podName, namespace);
      const reader = new ClusterReader(connection);
      const { files } = await renderVolume(
        pod as unknown as Pod,
        volumeName,
        reader,
        new TokenKeeper(reader, systemClock),
      );
      const { out, output } = settings;
      if (out !== undefined) await writeVolume(out, files, systemClock.now());
      if (output !== 'text') await printDocument(terminal, output, filesDocument(files));
      else if (out === undefined) printFiles(files, terminal);
      else {
        terminal.err(`${files.length} ${files.length === 1 ? 'file' : 'files'} written to ${out}`);
      }
      return 0;
    } catch (error) {
      if (error instanceof VolumeProblem) throw new CommandError(error.message);
      throw error;
    } finally {
      connection.close();
    }
  },
};
