// The container that exec, attach and log use if the request names none.
import type { Pod } from '../../apis/core/pod.ts';
import { badRequest } from '../../errors/catalogue.ts';

/** Throws 400 if the pod has several containers and none is named. */
export function containerIn({ metadata, spec }: Pod, asked: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  if (asked === '' && containers.length === 1) return containers[0]!.name;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (names.includes(asked)) return asked;
  throw badRequest(
    asked === ''
      ? `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`
      : `container ${asked} is not valid for pod ${metadata.name}`,
  );
}
