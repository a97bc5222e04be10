// RecursiveReadOnlyMode: enum.
import { named, openEnum } from '../../schema/scalars.ts';

export const recursiveReadOnlyMode = named(
  'core/v1.RecursiveReadOnlyMode',
  openEnum('Disabled', 'IfPossible', 'Enabled'),
);
