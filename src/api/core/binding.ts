import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { ObjectReference } from './object-reference.ts';

export const Binding = kind(
  'core/v1.Binding',
  {
    target: field(2, ObjectReference, { required: true }),
  },
  { doc: '' },
);
export type Binding = Infer<typeof Binding>;

export const bindings = (context: KindContext) =>
  resource<Binding>({
    group: '',
    version: 'v1',
    kind: 'Binding',
    plural: 'bindings',
    verbs: ['create'],
    schema: Binding,
    strategy: plainStrategy(context, Binding),
  });
