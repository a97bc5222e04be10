import { ask, get, type Json, type JsonObject, post, put, remade, subject } from '../case.ts';
import { apply, configMapIntent, patchBy } from './applies.ts';
import { configMap, configmaps } from './objects.ts';

const a = configmaps('a');
const made = post(configmaps('?fieldManager=maker'), configMap('a', { k: 'v' }), { as: 'a' });
const owner = (fields: JsonObject = {}): JsonObject => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2001-02-03T04:05:06Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:k': {} } },
  ...fields,
});
const edit = (managedFields: Json, data: JsonObject = { k: 'v' }) =>
  put(configmaps('a?fieldManager=editor'), remade('a', { managedFields, resourceVersion: '' }, { data }));
/** Each on its own, from what was there first. */
const tryEdit = (managedFields: Json) =>
  put(configmaps('a?fieldManager=editor&dryRun=All'), remade('a', { managedFields }));
const without = ({ ...fields }: JsonObject, ...names: string[]) => {
  for (const name of names) delete fields[name];
  return fields;
};

/** Owners that a client writes down by hand. */
export const managedFieldsEdits = subject('managed-fields-edits', [
  ask(
    'an empty list, or a list with one empty entry, forgets the owners',
    made,
    tryEdit([]),
    tryEdit(null),
    tryEdit([{}]),
    tryEdit([{}, {}]),
    put(configmaps('a?fieldManager=editor&dryRun=All'), configMap('a', { k: 'v' })),
    put(configmaps('a?fieldManager=editor&dryRun=All'), configMap('a', { k: 'w' }, { managedFields: [] })),
    put(configmaps('a?fieldManager=editor&dryRun=All'), configMap('a', { k: 'w' }, { managedFields: [{}] })),
    edit([], { k: 'w' }),
    edit([], { k: 'x' }),
    get(a),
  ),
  ask(
    'forgotten owners: what is there already belongs to nobody',
    made,
    edit([{}]),
    apply(a, configMapIntent('a', { l: 'w' }), { by: 'one' }),
    patchBy('later', a, { data: { m: 'x' } }),
    apply(a, configMapIntent('a', { k: 'other' }), { by: 'one' }),
    get(a),
  ),
  ask(
    'owners may be changed by hand',
    made,
    edit([owner()]),
    edit([owner(), owner({ manager: 'n', operation: 'Apply' })]),
    edit([owner({ time: null })]),
    edit([without(owner(), 'time')]),
    edit([owner({ manager: '' })]),
    edit([without(owner(), 'manager')]),
    edit([owner({ fieldsV1: {} })]),
    edit([without(owner(), 'fieldsV1')]),
    edit([owner({ fieldsV1: { 'f:nope': {} } })]),
    edit([owner({ fieldsV1: { 'f:data': { '.': {}, 'f:k': {}, 'f:gone': {} } } })]),
    get(a),
  ),
  ask(
    'owners that cannot be understood',
    made,
    tryEdit([owner({ fieldsV1: { nope: {} } })]),
    tryEdit([owner({ fieldsV1: { 'x:k': {} } })]),
    tryEdit([owner({ fieldsV1: { 'f:data': 'x' } })]),
    tryEdit([owner({ fieldsV1: { 'k:nope': {} } })]),
    tryEdit([owner({ fieldsV1: { 'k:{"a":1}': {} } })]),
    tryEdit([owner({ fieldsV1: { 'v:nope': {} } })]),
    tryEdit([owner({ fieldsV1: { 'i:x': {} } })]),
    tryEdit([owner({ fieldsV1: { 'i:1': {} } })]),
    tryEdit([owner({ fieldsV1: [] })]),
    tryEdit([owner({ fieldsV1: 'x' })]),
    tryEdit([owner({ fieldsV1: 1 })]),
    tryEdit([owner({ fieldsV1: null })]),
    tryEdit([owner({ fieldsV1: { '': {} } })]),
    tryEdit([owner({ fieldsV1: { 'f:': {} } })]),
    get(a),
  ),
  ask(
    'operations, types and versions of owners',
    made,
    tryEdit([owner({ operation: 'Nope' })]),
    tryEdit([owner({ operation: '' })]),
    tryEdit([owner({ operation: 'update' })]),
    tryEdit([without(owner(), 'operation')]),
    tryEdit([owner({ fieldsType: 'FieldsV2' })]),
    tryEdit([owner({ fieldsType: '' })]),
    tryEdit([without(owner(), 'fieldsType')]),
    tryEdit([owner({ apiVersion: 'v2' })]),
    tryEdit([owner({ apiVersion: '' })]),
    tryEdit([without(owner(), 'apiVersion')]),
    tryEdit([owner({ apiVersion: 'apps/v1' })]),
    tryEdit([owner({ apiVersion: 'a/b/c' })]),
    tryEdit([owner({ apiVersion: 'example.com/v1' })]),
    tryEdit([owner({ subresource: 'status' })]),
    tryEdit([owner({ subresource: 'nope' })]),
    tryEdit([owner({ manager: 'x'.repeat(129) })]),
    tryEdit([owner({ manager: 'a\u0001' })]),
    tryEdit([owner({ time: 'x' })]),
    tryEdit([owner({ time: '2001-02-03T04:05:06.789Z' })]),
    tryEdit([owner({ time: '2001-02-03T04:05:06+01:00' })]),
    tryEdit('x'),
    tryEdit(['x']),
    tryEdit([null]),
    tryEdit({}),
    get(a),
  ),
  ask(
    'entries for the same owner become one, or the last',
    made,
    edit([owner(), owner({ fieldsV1: { 'f:data': { 'f:l': {} } } })], { k: 'v', l: 'w' }),
    edit([owner(), owner()]),
    edit([owner(), owner({ time: '2002-02-03T04:05:06Z' })]),
    edit([owner(), {}]),
    edit([{}, {}]),
    edit([
      owner({ operation: 'Apply' }),
      owner({ operation: 'Apply', fieldsV1: { 'f:data': { 'f:l': {} } } }),
    ]),
    edit([owner(), owner({ subresource: 'status' })]),
    edit([owner({ manager: 'z' }), owner({ manager: 'y' }), owner({ manager: 'x', operation: 'Apply' })]),
  ),
  ask(
    'owners that are created with the object',
    post(configmaps('?fieldManager=maker'), configMap('a', { k: 'v' }, { managedFields: [owner()] })),
    post(configmaps('?fieldManager=maker'), configMap('b', { k: 'v' }, { managedFields: [] })),
    post(configmaps('?fieldManager=maker'), configMap('c', { k: 'v' }, { managedFields: [{}] })),
    post(
      configmaps('?fieldManager=maker'),
      configMap('d', { k: 'v' }, { managedFields: [owner({ operation: 'x' })] }),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap('e', { k: 'v' }, { managedFields: [owner({ manager: 'maker' })] }),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap('f', { k: 'v' }, { managedFields: [owner({ fieldsV1: { nope: {} } })] }),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap(
        'g',
        { k: 'v' },
        { managedFields: [owner({ operation: 'Apply', fieldsV1: { 'f:data': { 'f:gone': {} } } })] },
      ),
    ),
    get(configmaps()),
  ),
  ask(
    'owners in a patch',
    made,
    patchBy('editor', a, { metadata: { managedFields: [] } }),
    patchBy('editor', a, { metadata: { managedFields: [{}] } }),
    patchBy('editor', a, { data: { l: 'w' } }),
    patchBy('editor', a, { metadata: { managedFields: null } }),
    patchBy('editor', a, { metadata: { managedFields: [{}] } }, 'strategic-merge-patch+json'),
    patchBy('editor', a, { metadata: { managedFields: [owner({ operation: 'x' })] } }),
    patchBy('editor', a, { metadata: { managedFields: [owner({ fieldsV1: { nope: {} } })] } }),
    patchBy('editor', a, { metadata: { managedFields: [owner({ operation: 'Apply' })] } }),
    get(a),
  ),
]);
