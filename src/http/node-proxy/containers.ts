// The container of an exec, attach or log request; the only one of the pod by default.
import type { Pod } from '../../apis/core/pod.ts';
import { badRequest } from '../../errors/catalogue.ts';

/** Throws 400 if the pod has several containers and none is named. */
export function selectContainer({ metadata, spec }: Pod, requested: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  if (requested === '' && containers.length === 1) return containers[0]!.name;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (names.includes(requested)) return requested;
  throw badRequest(
    requested === ''
      ? `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`
      : `container ${requested} is not valid for pod ${metadata.name}`,
  );
}
