// PullPolicy: enum.
import { named, oneOf } from '../../schema/scalars.ts';

export const pullPolicy = named('core/v1.PullPolicy', oneOf('Always', 'Never', 'IfNotPresent'));
