// RecursiveReadOnlyMode: enum.
import { named, oneOf } from '../../schema/scalars.ts';

export const recursiveReadOnlyMode = named(
  'core/v1.RecursiveReadOnlyMode',
  oneOf('Disabled', 'IfPossible', 'Enabled'),
);
