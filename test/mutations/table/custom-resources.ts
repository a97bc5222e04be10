// Mutations of the rules of custom resources and of the definitions that define them.
import { inSection } from '../mutation.ts';

const definition = 'src/apis/apiextensions/validation.ts';
const version = 'src/apis/apiextensions/version-validation.ts';
const schema = 'src/apis/apiextensions/schema-validation.ts';
const value = 'src/apis/apiextensions/value-validation.ts';
const columns = 'src/crd/custom-table.ts';
const customKind = 'src/crd/custom-kind.ts';

export const customResources = inSection('CustomResourceDefinition', [
  {
    rule: 'the name is `<names.plural>.<group>`',
    file: definition,
    find: 'return name === `${names.plural}.${group}`',
    replace: "return name.startsWith(names.plural ?? '')",
  },
  {
    rule: 'group, names and scope are required',
    file: definition,
    find: "if (scope === '') return [required('spec.scope')];",
    replace: "if (scope === '') return [];",
  },
  {
    rule: 'defaults of names',
    file: 'src/apis/apiextensions/customresourcedefinition-schema.ts',
    find: 'names.listKind = `${names.kind}List`;',
    replace: 'names.listKind = `${names.kind}s`;',
  },
  {
    rule: 'lowercase names',
    file: definition,
    find: 'addErrors(errors, validateLabels(names.shortNames ?? [], `${path}.shortNames`));',
    replace: '',
  },
  {
    rule: 'scope',
    file: definition,
    find: 'return scopes.includes(scope) ? [] :',
    replace: 'return scope ? [] :',
  },
  {
    rule: 'exactly one storage version',
    file: definition,
    find: 'if (versionList.filter(({ storage }) => storage).length !== 1) {',
    replace: 'if (versionList.filter(({ storage }) => storage).length < 1) {',
  },
  {
    rule: 'deprecationWarning only with deprecated',
    file: version,
    find: 'if (!deprecated) errors.push(',
    replace: "if (!deprecated && warning === '') errors.push(",
  },
  {
    rule: 'openAPIV3Schema',
    file: definition,
    find: 'if (schema?.openAPIV3Schema) continue;',
    replace: 'continue;',
  },
  {
    rule: 'additionalPrinterColumns',
    file: version,
    find: 'return [...errors, ...validateSimplePath(`${fieldPath}.JSONPath`, jsonPath)];',
    replace: 'return errors;',
  },
  {
    rule: 'selectableFields',
    file: version,
    find: 'const maxSelectableFields = 8;',
    replace: 'const maxSelectableFields = 9;',
  },
  {
    rule: 'subresources.scale',
    file: version,
    find: "...validateScalePath('statusReplicasPath', statusReplicasPath, ['.status']),",
    replace: "...validateScalePath('statusReplicasPath', statusReplicasPath, ['.status', '.spec']),",
  },
  {
    rule: 'conversion.strategy',
    file: definition,
    find: 'if (versions.length === 0) return [...errors, required(versionsPath)];',
    replace: 'if (versions.length === 0) return errors;',
  },
  {
    rule: 'preserveUnknownFields',
    file: definition,
    find: 'if (!preserveUnknownFields) return [];',
    replace: 'return [];',
  },
  {
    rule: 'formats',
    file: 'src/schema/formats/formats.ts',
    find: 'creditcard: isCreditCard,',
    replace: 'creditcard: (text) => text.length > 4,',
  },
  {
    rule: 'unknown formats are ignored',
    file: 'src/schema/formats/formats.ts',
    find: 'password: () => true,',
    replace: 'password: () => false,',
  },
  {
    rule: 'list types and map keys',
    file: schema,
    find: "const listTypes = ['atomic', 'set', 'map'];",
    replace: "const listTypes = ['atomic', 'set', 'map', 'bag'];",
  },
  {
    rule: 'map types',
    file: schema,
    find: "const mapTypes = ['atomic', 'granular'];",
    replace: "const mapTypes = ['atomic', 'granular', 'loose'];",
  },
  {
    rule: 'embedded-resource, int-or-string, preserve-unknown-fields',
    file: schema,
    find: 'if (extensions.preserveUnknownFields === false) {',
    replace: 'if (extensions.preserveUnknownFields === null) {',
  },
  {
    rule: 'versions in discovery are ordered as APIService says',
    file: 'src/kind/version-priority.ts',
    find: 'Number(right.major) - Number(left.major) ||',
    replace: 'Number(left.major) - Number(right.major) ||',
  },
  {
    rule: 'objects are held to the schema, by every keyword',
    file: value,
    find: 'if (validCount > 1) errors.push(',
    replace: 'if (validCount > 2) errors.push(',
  },
  {
    rule: 'printer columns show what their path leads to',
    file: columns,
    find: 'return isNumber(value) ? Math.trunc(Number(value)) : null;',
    replace: 'return isNumber(value) ? 0 : null;',
  },
  {
    rule: '… with priority and format, the age column if there are none',
    file: columns,
    find: "columns: [nameColumn, { ...ageColumn, type: 'date' }],",
    replace: 'columns: [nameColumn],',
  },
  {
    rule: 'selectableFields select; a missing field is an empty string',
    file: customKind,
    find: "return value === undefined || value === null ? '' : String(value);",
    replace: 'return String(value);',
  },
  {
    rule: 'requests to a deprecated version get a warning',
    file: customKind,
    find: 'const warning = `${group}/${version.name} ${names.kind} is deprecated`;',
    replace: 'const warning = `${group}/${version.name} ${names.kind} is old`;',
  },
  {
    rule: '/status and the rest ignore each other',
    file: customKind,
    find: "if (hasStatus) restoreField(object, old, 'status');",
    replace: '',
  },
  {
    rule: '/scale is a Scale; missing values',
    file: 'src/crd/custom-scale.ts',
    find: "return typeof value === 'number' ? value : 0;",
    replace: "return typeof value === 'number' ? value : 1;",
  },
]);
