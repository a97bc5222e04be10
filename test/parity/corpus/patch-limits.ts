import { ask, post, subject } from '../case.ts';
import { configMap, configmaps } from './objects.ts';
import { jsonPatch, merge, strategic } from './patch-bodies.ts';

const made = post(configmaps(), configMap('a'));
const dry = configmaps('a?dryRun=All');
const quiet = `${dry}&fieldValidation=Ignore`;
const nested = (depth: number, inside = '1') => `${'{"a":'.repeat(depth)}${inside}${'}'.repeat(depth)}`;
const step = (value: string) => `[{"op":"add","path":"/x","value":${value}}]`;
const filled = (bytes: number) => 'x'.repeat(bytes);

export const patchLimits = subject('patch-limits', [
  ask(
    'bodies that are too large',
    made,
    merge(dry, `{"data":{"k":"${filled(3 * 1024 * 1024)}"}}`),
    strategic(dry, `{"data":{"k":"${filled(3 * 1024 * 1024)}"}}`),
    jsonPatch(dry, `[{"op":"add","path":"/data/k","value":"${filled(3 * 1024 * 1024)}"}]`),
    merge(configmaps('none'), `{"data":{"k":"${filled(3 * 1024 * 1024)}"}}`),
    merge(dry, `{}${' '.repeat(3 * 1024 * 1024 - 2)}`),
    merge(dry, `{}${' '.repeat(3 * 1024 * 1024 - 1)}`),
  ),
  ask(
    'objects that get too large',
    made,
    merge(dry, { data: { k: filled(1024 * 1024 - 10) } }),
    merge(dry, { data: { k: filled(1024 * 1024 + 1) } }),
    strategic(dry, { data: { k: filled(1024 * 1024 + 1) } }),
    jsonPatch(dry, [{ op: 'add', path: '/data/k', value: filled(1024 * 1024 + 1) }]),
    merge(dry, { metadata: { annotations: { k: filled(256 * 1024 + 1) } } }),
    merge(dry, { metadata: { labels: { k: filled(64) } } }),
  ),
  ask(
    'patches that are too deep',
    made,
    [nested(10_001), '['.repeat(10_001) + ']'.repeat(10_001), `{"data":${nested(10_000)}}`].flatMap(
      (body) => [merge(dry, body), strategic(dry, body), merge(quiet, body), strategic(quiet, body)],
    ),
    jsonPatch(dry, step(nested(9_999))),
    jsonPatch(quiet, step(nested(9_999))),
    jsonPatch(dry, '['.repeat(10_001)),
  ),
  ask(
    'keys that come twice',
    made,
    [
      '{"data":{"a":"1"},"data":{"b":"2"}}',
      '{"data":{"a":"1"},"data":null}',
      '{"data":null,"data":{"b":"2"}}',
      '{"metadata":{"labels":{"a":"1","a":"2"},"labels":{"b":"3"}}}',
      '{"data":{"a":"1","a":"2","a":"3"}}',
      '{"bogus":{"a":{"b":1,"b":2}},"bogus":1}',
      '{"metadata":{"finalizers":["a.b/c"],"finalizers":["d.e/f"]}}',
    ].flatMap((body) => [merge(dry, body), strategic(dry, body)]),
    [
      '[{"op":"add","path":"/data","value":{"a":"1","a":"2"}}]',
      '[{"op":"add","path":"/metadata/labels","value":{"a":"1"},"value":{"b":"2"}}]',
      '[{"op":"test","path":"/data","value":{"k":"x","k":"v"}}]',
    ].map((body) => jsonPatch(dry, body)),
  ),
]);
