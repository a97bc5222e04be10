// PullPolicy: enum.
import { documentedEnum, named } from '../../schema/scalars.ts';

export const pullPolicy = named('core/v1.PullPolicy', documentedEnum('Always', 'Never', 'IfNotPresent'));
