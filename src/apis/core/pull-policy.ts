// PullPolicy: enum.
import { named, publishedEnum } from '../../schema/scalars.ts';

export const pullPolicy = named('core/v1.PullPolicy', publishedEnum('Always', 'Never', 'IfNotPresent'));
