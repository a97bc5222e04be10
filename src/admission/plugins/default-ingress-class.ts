// Admission plugin DefaultIngressClass: sets the default IngressClass on Ingresses that name none.
import type { Ingress } from '../../apis/networking/ingress.ts';
import type { IngressClass } from '../../apis/networking/ingressclass.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { ClassCache, newestFirst } from '../class-cache.ts';
import type { Plugin } from '../plugin.ts';

export class DefaultIngressClass implements Plugin<Ingress> {
  readonly name = 'DefaultIngressClass';
  readonly #classes: ClassCache<IngressClass>;

  constructor(api: StorageContext) {
    const { defaultIngressClass } = api.dialect.annotations;
    this.#classes = new ClassCache<IngressClass>(
      api,
      { group: 'networking', plural: 'ingressclasses' },
      {
        isDefault: ({ metadata }) => metadata.annotations?.[defaultIngressClass] === 'true',
        compare: newestFirst,
      },
    );
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.definition.kind === 'Ingress' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes<Ingress>): void {
    const { metadata, spec } = object;
    if (spec.ingressClassName !== undefined) return;
    // The deprecated annotation names a class, too.
    if (metadata.annotations?.[api.dialect.annotations.ingressClass] !== undefined) return;
    const name = this.#classes.default?.metadata.name;
    if (name !== undefined) spec.ingressClassName = name;
  }

  reset(): void {
    this.#classes.reset();
  }
}
