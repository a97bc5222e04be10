// `orch device`: prints for each device of the ResourceSlices whether a DeviceClass selects it, and the selector that
// fails.
import { type Command, CommandError } from './command.ts';
import { deviceDefaults, deviceFlags, readDeviceArgs } from './device/settings.ts';
import { flagHelp } from './flag-help.ts';
import { printDocument } from './output.ts';

const help = () => [
  'Evaluates the CEL selectors of a DeviceClass for every device in the ResourceSlices of a server, in either dialect, and',
  'shows which devices match. A selector that fails or does not return a bool stops the evaluation, as it stops an',
  'allocation.',
  '',
  '  orch device select gpu.example.com',
  '  orch device select gpu.example.com -o json',
  ...flagHelp(deviceFlags, deviceDefaults),
];

export const device: Command = {
  name: 'device',
  usage: 'select CLASS [FLAGS]',
  about: 'show the devices that a DeviceClass selects',
  actions: { select: { usage: 'select CLASS [FLAGS]', help } },
  flags: deviceFlags,
  help,
  async run(args, terminal) {
    const { settings, className } = readDeviceArgs(args);
    // Loaded lazily, so that help and version do not load HTTP.
    const [
      { resolveClusterAccess },
      { Connection },
      { selectDevices },
      { devicesDocument, printDevicesAsTable },
    ] = await Promise.all([
      import('./cluster/resolve-access.ts'),
      import('./cluster/connection.ts'),
      import('./device/select-devices.ts'),
      import('./device/print-devices.ts'),
    ]);
    const connection = new Connection(await resolveClusterAccess(settings, process.env));
    try {
      const classSelection = await selectDevices(connection, className);
      const { output } = settings;
      if (output === 'table') printDevicesAsTable(classSelection, terminal);
      else await printDocument(terminal, output, devicesDocument(className, classSelection));
      const { failure } = classSelection.selection;
      if (failure)
        throw new CommandError(`selector ${failure.selectorIndex} of the class failed: ${failure.problem}`);
      return 0;
    } finally {
      connection.close();
    }
  },
};
