import type { Pod } from '../../../apis/core/pod.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';

/** Has images pulled anew each time, so that nobody runs one that only others may pull. */
export class AlwaysPullImages implements Plugin {
  readonly name = 'AlwaysPullImages';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit({ object, old }: Attributes): void {
    const pod = object as Pod;
    if (old) {
      const known = new Set(imagesOf(old as Pod));
      if (imagesOf(pod).every((image) => known.has(image))) return;
    }
    for (const container of containersOf(pod)) container.imagePullPolicy = 'Always';
    for (const { image } of pod.spec.volumes ?? []) if (image) image.pullPolicy = 'Always';
  }
}

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
const imagesOf = (pod: Pod) => containersOf(pod).map(({ image }) => image ?? '');
