import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { costlySelectors, selectorExpressions } from './device-selector-expressions.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const group = '/apis/resource.k8s.io';
const classes = (version: string) => paths(`${group}/${version}/deviceclasses`);
const taintRules = paths(`${group}/v1alpha3/devicetaintrules`);

const deviceClass = (spec: JsonObject = {}, name = '{name}') => object(name, { spec });
const selector = (...expressions: string[]) => ({
  selectors: expressions.map((expression) => ({ cel: { expression } })),
});
const opaque = (driver = 'a.example.com', parameters: JsonObject | string = { a: 1 }) => ({
  opaque: { driver, parameters },
});
const taint = { key: 'a', effect: 'NoExecute', timeAdded: '2024-01-02T03:04:05Z' };
const taintRule = (spec: JsonObject) => object('{name}', { spec });

export const deviceClasses = [
  subject('deviceclasses', [
    ...lifecycle(classes('v1beta1'), deviceClass(), {
      full: deviceClass({ ...selector('true', 'device.driver == "a"'), config: [opaque()] }, '{other}'),
      change: { spec: selector('true') },
    }),
    ...['v1beta2', 'v1alpha3'].flatMap((version) =>
      lifecycle(classes(version), deviceClass(), { name: version, change: { spec: selector('true') } }).slice(
        0,
        2,
      ),
    ),
    ...tries(classes('v1beta1'), {
      selectors: [
        object('{name}'),
        object('A_', { spec: {} }),
        deviceClass({ selectors: [{}] }),
        deviceClass(selector('')),
        deviceClass(selector(' ')),
        deviceClass(selector(`true${' '.repeat(10 * 1024 - 4)}`)),
        deviceClass(selector(`true${' '.repeat(10 * 1024 - 3)}`)),
        deviceClass(selector(...Array.from({ length: 33 }, () => 'true'))),
        deviceClass(selector('foo(')),
        deviceClass(selector('1')),
      ],
      configurations: [
        deviceClass({ config: [{}] }),
        deviceClass({ config: [{ opaque: {} }] }),
        deviceClass({ config: [opaque('A_')] }),
        deviceClass({ config: [opaque('a'.repeat(64))] }),
        deviceClass({ config: [opaque('a', 'text')] }),
        deviceClass({ config: [opaque('a', { a: 'x'.repeat(10 * 1024 - 8) })] }),
        deviceClass({ config: [opaque('a', { a: 'x'.repeat(10 * 1024 - 7) })] }),
        deviceClass({ config: Array.from({ length: 33 }, () => opaque()) }),
      ],
    }),
  ]),
  subject('device-selectors', [
    ...tries(classes('v1beta1'), {
      expressions: selectorExpressions.map((expression) => deviceClass(selector(expression))),
      'what they may cost': costlySelectors.map((expression) => deviceClass(selector(expression))),
      'many at once': [
        deviceClass(selector('1', 'true', '1', 'foo(')),
        deviceClass({ ...selector(...Array.from({ length: 34 }, () => '1')), config: [{}] }),
        deviceClass({ config: Array.from({ length: 34 }, () => ({})) }),
        deviceClass({ selectors: [{}, ...selector('1', 'x'.repeat(10 * 1024 + 1)).selectors] }),
      ],
    }),
    ...['v1beta2', 'v1alpha3'].flatMap((version) =>
      tries(classes(version), {
        [version]: [
          deviceClass(selector('device.driver == "a"')),
          deviceClass(selector('device.nope')),
          deviceClass(selector('1')),
        ],
      }),
    ),
    ask(
      'what is wrong is said twice where a class changes',
      post(classes('v1beta1')(), deviceClass(selector('true')), { as: 'a' }),
      [selector('true', 'device.driver == "a"'), selector('true', '1'), selector('foo(')].map((spec) =>
        put(classes('v1beta1')('{name}'), withChange('a', { spec })),
      ),
    ),
  ]),
  subject('devicetaintrules', [
    ...lifecycle(taintRules, taintRule({ taint }), { change: { spec: { deviceSelector: { driver: 'd' } } } }),
    ...tries(taintRules, {
      taints: [
        taintRule({}),
        taintRule({ taint: { key: 'a', effect: 'NoSchedule' } }),
        taintRule({ taint: { key: 'a b', value: 'c d', effect: 'x' } }),
      ],
      devices: [
        {},
        { deviceClassName: 'A_', driver: 'A_', pool: 'A_', device: 'A_' },
        { deviceClassName: '', driver: '', pool: '', device: '' },
        { deviceClassName: 'c', driver: 'd', pool: 'a/b', device: 'x', ...selector('true') },
        { selectors: [{}] },
        selector('true', '1', 'foo(', ''),
        selector(...Array.from({ length: 33 }, () => '1')),
      ].map((deviceSelector) => taintRule({ taint, deviceSelector })),
    }),
  ]),
];
