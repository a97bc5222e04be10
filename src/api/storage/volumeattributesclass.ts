import { mapOf } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { v1alpha1 } from './versions.ts';

export const VolumeAttributesClass = kind(
  'storage/v1beta1.VolumeAttributesClass',
  {
    driverName: field(2, string, { required: true }),
    parameters: field(3, mapOf(string)),
  },
  { doc: '' },
);
export type VolumeAttributesClass = Infer<typeof VolumeAttributesClass>;

export const volumeattributesclasses = (context: KindContext) =>
  resource<VolumeAttributesClass>({
    group: 'storage',
    version: 'v1beta1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    shortNames: ['vac'],
    namespaced: false,
    schema: VolumeAttributesClass,
    strategy: { ...plainStrategy(context, VolumeAttributesClass), deleteReturnsObject: true },
  });

export const volumeattributesclassesV1alpha1 = (context: KindContext) =>
  alsoIn('v1alpha1', volumeattributesclasses(context), v1alpha1.of(VolumeAttributesClass));
