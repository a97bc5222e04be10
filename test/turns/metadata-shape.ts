// The shape of ObjectMeta, for custom resources.
import { ObjectMeta } from '../../src/kind/meta/object-meta.ts';
import { shapeOfType } from './shape.ts';

export const metadataShape = shapeOfType(ObjectMeta);
