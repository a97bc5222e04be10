// Admission plugin AlwaysPullImages: sets imagePullPolicy Always, so that every pod needs the credentials for its images.
import type { Pod } from '../../../apis/core/pod.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';

export class AlwaysPullImages implements Plugin<Pod> {
  readonly name = 'AlwaysPullImages';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit({ object: pod, oldObject }: Attributes<Pod>): void {
    if (oldObject) {
      const oldImages = new Set(imagesOf(oldObject));
      if (imagesOf(pod).every((image) => oldImages.has(image))) return;
    }
    for (const container of containersOf(pod)) container.imagePullPolicy = 'Always';
    for (const { image } of pod.spec.volumes ?? []) if (image) image.pullPolicy = 'Always';
  }
}

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
const imagesOf = (pod: Pod) => containersOf(pod).map(({ image }) => image ?? '');
