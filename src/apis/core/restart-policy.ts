// ContainerRestartPolicy: enum.
import { named, openEnum } from '../../schema/scalars.ts';

export const containerRestartPolicy = named('core/v1.ContainerRestartPolicy', openEnum('Always'));
