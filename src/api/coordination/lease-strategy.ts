import { named, oneOf } from '../../schema/scalars.ts';

export const coordinatedLeaseStrategy = named(
  'coordination/v1.CoordinatedLeaseStrategy',
  oneOf('OldestEmulationVersion'),
);
