// ContainerRestartPolicy: enum.
import { named, oneOf } from '../../schema/scalars.ts';

export const containerRestartPolicy = named('core/v1.ContainerRestartPolicy', oneOf('Always'));
