// `orch device`: shows which devices a DeviceClass selects, and why not the others.
import { type Command, CommandError } from './command.ts';
import { deviceDefaults, deviceFlags, readDeviceArgs } from './device/settings.ts';
import { flagHelp } from './flag-help.ts';

export const device: Command = {
  name: 'device',
  usage: 'select CLASS [FLAGS]',
  about: 'show the devices that a DeviceClass selects',
  help: () => [
    'Evaluates the CEL selectors of a DeviceClass for every device in the ResourceSlices of a server, in either dialect, and',
    'shows which devices match. A selector that fails or does not return a bool stops the evaluation, as it stops an',
    'allocation.',
    '',
    '  orch device select gpu.example.com',
    '  orch device select gpu.example.com -o json',
    ...flagHelp(deviceFlags, deviceDefaults),
  ],
  async run(args, terminal) {
    const { settings, className } = readDeviceArgs(args);
    // Loaded lazily, so that help and version do not load HTTP.
    const [{ chosenAccess }, { Connection }, { selectDevices }, show] = await Promise.all([
      import('./cluster/chosen-access.ts'),
      import('./cluster/connection.ts'),
      import('./device/select-devices.ts'),
      import('./device/show.ts'),
    ]);
    const connection = new Connection(await chosenAccess(settings, process.env));
    try {
      const selection = await selectDevices(connection, className);
      if (settings.output === 'json') show.showJson(className, selection, terminal);
      else show.showTable(selection, terminal);
      const { aborted } = selection.selected;
      if (aborted)
        throw new CommandError(`selector ${aborted.selector} of the class failed: ${aborted.problem}`);
      return 0;
    } finally {
      connection.close();
    }
  },
};
