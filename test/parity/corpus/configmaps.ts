import { ask, changed, del, get, post, put, subject } from '../case.ts';
import { configMap, configmaps, object } from './objects.ts';

export const configMaps = subject('configmaps', [
  ask(
    'life of one: create, read, replace, delete',
    post(configmaps(), configMap('a'), { as: 'a' }),
    get(configmaps('a')),
    put(configmaps('a'), changed('a', { data: { k: 'changed' } })),
    get(configmaps()),
    del(configmaps('a')),
    get(configmaps('a')),
    del(configmaps('a')),
  ),
  ask(
    'a name that is taken is 409, and free again once deleted',
    post(configmaps(), configMap('a')),
    post(configmaps(), configMap('a', { other: 'data' })),
    del(configmaps('a')),
    post(configmaps(), configMap('a')),
  ),
  ask(
    'data may be absent, empty, null, unicode, and hold empty values',
    post(configmaps(), object('absent')),
    post(configmaps(), object('empty', { data: {}, binaryData: {} })),
    post(configmaps(), object('null', { data: null, binaryData: null, immutable: null })),
    post(configmaps(), configMap('unicode', { k: 'ä € 😀 \u0000 \u2028 < > &' })),
    post(configmaps(), configMap('empty-value', { k: '', n: null })),
    get(configmaps()),
  ),
  ask(
    'binaryData is base64',
    post(configmaps(), object('good', { binaryData: { a: 'AAEC', b: '', c: '_w==' } })),
    post(configmaps(), object('good', { binaryData: { a: 'AAEC', b: '', c: '/w==', d: null } })),
    ['***', 'AAA', 'AA=A', 'A A A=', 'AAEC\n'].map((value) =>
      post(configmaps(), object('bad', { binaryData: { a: value } })),
    ),
  ),
  ask(
    'keys have a syntax, and data and binaryData share none',
    ['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(254), '..a'].map((key) =>
      post(configmaps(), configMap('bad', { [key]: 'v' })),
    ),
    post(configmaps(), object('bad', { binaryData: { 'a b': 'AAEC' } })),
    post(configmaps(), object('bad', { data: { a: '1', b: '2' }, binaryData: { b: 'AAEC', c: 'AAEC' } })),
    post(configmaps(), configMap('good', { ['x'.repeat(253)]: '', 'A-b_c.d': '', '.a': '', 'a..': '' })),
  ),
  ask(
    'more than 1 MiB of data is refused',
    post(configmaps(), configMap('large', { k: 'x'.repeat(1024 * 1024 + 1) })),
    post(configmaps(), object('large', { data: { k: 'x'.repeat(1024 * 1024) }, binaryData: { b: 'AA==' } })),
  ),
  ask(
    'an immutable one keeps its data and stays immutable',
    post(configmaps(), object('a', { data: { k: 'v' }, immutable: true }), { as: 'a' }),
    put(configmaps('a'), changed('a', { data: { k: 'changed' } })),
    put(configmaps('a'), changed('a', { binaryData: { b: 'AAEC' } })),
    put(configmaps('a'), changed('a', { immutable: false })),
    put(configmaps('a'), changed('a', { immutable: null })),
    put(configmaps('a'), object('a', { data: { k: 'v' }, immutable: true }, { labels: { may: 'change' } })),
    post(configmaps(), object('b', { immutable: false }), { as: 'b' }),
    put(configmaps('b'), changed('b', { immutable: true, data: { k: 'v' } })),
  ),
]);
