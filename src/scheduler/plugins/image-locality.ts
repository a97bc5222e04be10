// ImageLocality: prefers nodes that have the images of the pod, by size. An image on few nodes counts less, so that pods are
// not all placed on those.
import { maxNodeScore, type ScorePlugin } from './plugin.ts';

const mebibyte = 1024 * 1024;
/** Smaller sums count as nothing. */
const minBytes = 23 * mebibyte;
/** Larger sums, per container, count as this. */
const maxBytesPerContainer = 1000 * mebibyte;

export const scoreImages: ScorePlugin = ({ spec }, nodes, { cluster }) => {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const images = containers.map(({ image = '' }) => withTag(image));
  const maxBytes = maxBytesPerContainer * containers.length;
  const nodeCount = cluster.nodes.length;
  return nodes.map((node) => {
    let sumBytes = 0;
    for (const image of images) {
      const state = node.images.has(image) ? cluster.image(image) : undefined;
      if (state) sumBytes += Math.trunc(state.sizeBytes * (state.nodes / nodeCount));
    }
    const bounded = Math.min(Math.max(sumBytes, minBytes), maxBytes);
    return Math.trunc((maxNodeScore * (bounded - minBytes)) / (maxBytes - minBytes));
  });
};

const withTag = (image: string) =>
  image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
