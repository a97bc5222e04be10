import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { PodTemplateSpec } from './pod-template-spec.ts';

export const PodTemplate = kind(
  'core/v1.PodTemplate',
  { template: field(2, PodTemplateSpec, { doc: 'The pods that are to be made.' }) },
  { doc: 'A template for pods, kept for whoever makes pods from it.' },
);
export type PodTemplate = Infer<typeof PodTemplate>;

export const podtemplates = (context: KindContext) =>
  resource<PodTemplate>({
    group: '',
    version: 'v1',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    schema: PodTemplate,
    strategy: plainStrategy(context, PodTemplate),
  });
