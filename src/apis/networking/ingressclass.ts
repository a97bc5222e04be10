// IngressClass, the whole kind: schema, printer columns, resource definition and validation.

import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { isSameSpec } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { dnsLabel, dnsSubdomain, nameIsSubdomain } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { validateTypedReference } from '../core/typed-reference-validation.ts';

const IngressClassParametersReference = struct(
  'networking/v1.IngressClassParametersReference',
  {
    apiGroup: field(1, optional(string), {
      doc: 'The API group of the object. Defaults to the core group.',
    }),
    kind: field(2, string, { required: true, doc: 'The kind of the object.' }),
    name: field(3, string, { required: true, doc: 'The name of the object.' }),
    scope: field(4, optional(string), {
      omitEmpty: false,
      doc: 'Cluster (default), or Namespace for a namespaced object.',
    }),
    namespace: field(5, optional(string), { doc: 'The namespace of the object. For scope Namespace only.' }),
  },
  { doc: 'A reference to an object with controller parameters.' },
);
type IngressClassParametersReference = Infer<typeof IngressClassParametersReference>;

const IngressClassSpec = struct(
  'networking/v1.IngressClassSpec',
  {
    controller: field(1, string, {
      doc: 'The controller of the class, as a domain-prefixed path such as example.com/controller. Immutable.',
    }),
    parameters: field(2, optional(IngressClassParametersReference), {
      doc: 'An object with additional configuration for the controller.',
    }),
  },
  { doc: 'The specification of an IngressClass.' },
);
type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = kind(
  'networking/v1.IngressClass',
  {
    spec: field(2, IngressClassSpec, { doc: 'The specification of the IngressClass.' }),
  },
  {
    doc: 'A class of Ingresses, implemented by one controller. Ingresses refer to it by name.',
    defaults({ spec: { parameters } }) {
      if (parameters) parameters.scope ??= 'Cluster';
    },
  },
);
export type IngressClass = Infer<typeof IngressClass>;

const ingressClassTable: TableLayout<IngressClass> = {
  columns: [
    nameColumn,
    column('Controller', 'The controller of the class.'),
    column('Parameters', 'The object with controller parameters.'),
    ageColumn,
  ],
  cells(object, ages) {
    const { controller = '', parameters } = object.spec;
    return [
      object.metadata.name ?? '',
      controller,
      parameters ? formatReference(parameters) : none,
      age(object, ages),
    ];
  },
};

function formatReference({ kind, apiGroup, name }: IngressClassParametersReference): string {
  return apiGroup ? `${kind}.${apiGroup}/${name}` : `${kind}/${name}`;
}

export const ingressclasses = ({ dialect }: KindContext) =>
  resource<IngressClass>({
    group: 'networking',
    version: 'v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    schema: IngressClass,
    table: ingressClassTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      prepareForCreate({ metadata }) {
        metadata.generation = 1;
      },
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateSpec(object.spec),
      ],
      prepareForUpdate(object, old) {
        if (!isSameSpec(IngressClass, object, old)) {
          object.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateControllerUnchanged(object.spec, old.spec),
        ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateSpec(object.spec),
      ],
    },
  });

function validateControllerUnchanged(
  { controller = '' }: IngressClassSpec,
  old: IngressClassSpec,
): FieldError[] {
  if (controller === (old.controller ?? '')) return [];
  return [invalid('spec.controller', controller, 'field is immutable')];
}

const maxControllerLength = 250;

function validateSpec({ controller = '', parameters }: IngressClassSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(controller) > maxControllerLength) {
    errors.push(tooLong('spec.controller', maxControllerLength));
  }
  addErrors(errors, validateController(controller));
  return parameters ? [...errors, ...validateParameters(parameters)] : errors;
}

const pathCharacters = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Requires a domain-prefixed path: `example.com/controller`. */
function validateController(controller: string): FieldError[] {
  const path = 'spec.controller';
  if (controller === '') return [required(path)];
  const slash = controller.indexOf('/');
  const domain = controller.slice(0, Math.max(slash, 0));
  const pathPart = controller.slice(slash + 1);
  if (domain === '' || pathPart === '') {
    return [invalid(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dnsSubdomain(domain).map((problem) => invalid(path, domain, problem));
  if (!pathCharacters.test(pathPart)) {
    const regex = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
    errors.push(invalid(path, pathPart, `Invalid path (regex used for validation is '${regex}')`));
  }
  return errors;
}

const scopes = ['Cluster', 'Namespace'];

function validateParameters(parameters: IngressClassParametersReference): FieldError[] {
  const path = 'spec.parameters';
  const { scope, namespace } = parameters;
  const errors = validateTypedReference(parameters, path);
  if (scope === undefined) return [...errors, required(`${path}.scope`)];
  if (!scopes.includes(scope)) errors.push(notSupported(`${path}.scope`, scope, scopes));
  const detail = `\`parameters.scope\` is set to '${scope}'`;
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(`${path}.namespace`, detail));
    else
      addErrors(
        errors,
        dnsLabel(namespace).map((problem) => invalid(`${path}.namespace`, namespace, problem)),
      );
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(forbidden(`${path}.namespace`, detail));
  }
  return errors;
}
