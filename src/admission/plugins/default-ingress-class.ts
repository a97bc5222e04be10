import type { Ingress } from '../../apis/networking/ingress.ts';
import type { IngressClass } from '../../apis/networking/ingressclass.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { Classes, newestFirst } from '../classes.ts';
import type { Plugin } from '../plugin.ts';

/** Gives Ingresses that name no class the one that is meant for them. */
export class DefaultIngressClass implements Plugin {
  readonly name = 'DefaultIngressClass';
  readonly #classes: Classes<IngressClass>;

  constructor(api: Api) {
    const { defaultIngressClass } = api.dialect.annotations;
    this.#classes = new Classes<IngressClass>(
      api,
      { group: 'networking', plural: 'ingressclasses' },
      {
        isDefault: ({ metadata }) => metadata.annotations?.[defaultIngressClass] === 'true',
        compare: newestFirst,
      },
    );
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.definition.kind === 'Ingress' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes): void {
    const { metadata, spec } = object as Ingress;
    if (spec.ingressClassName !== undefined) return;
    // Before there was a field, this named the class.
    if (metadata.annotations?.[api.dialect.annotations.ingressClass] !== undefined) return;
    const name = this.#classes.default?.metadata.name;
    if (name !== undefined) spec.ingressClassName = name;
  }

  reset(): void {
    this.#classes.reset();
  }
}
