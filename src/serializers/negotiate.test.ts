// Content negotiation by the Accept header.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiateAccept } from './negotiate.ts';
import type { Offer } from './offer.ts';

const offer: Offer = {
  mediaTypes: ['application/json', 'application/yaml'],
  converts: ({ kind, group, version }, type) =>
    kind === 'Table' && group === 'meta' && version === 'v1' && type === 'application/json',
};

const cases: readonly (readonly [string, string | undefined])[] = [
  ['application/json', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/json;q=0.1, application/yaml', 'application/yaml'],
  ['application/yaml;q=0.9, application/json;q=0.5', 'application/yaml'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*, application/yaml', 'application/yaml'],
  ['application/*, application/yaml', 'application/yaml'],
  ['text/html, */*;q=0.1', 'application/json'],
  ['application/json;q=0', 'application/json'],
  ['application/json;q=abc', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json;stream=watch', 'application/json'],
  ['application/json;stream=nope', undefined],
  ['text/*', undefined],
  ['text/html', undefined],
  ['garbage', undefined],
  ['a/b/c', undefined],
  [',;=,', undefined],
  ['APPLICATION/JSON', undefined],
  ['application/json;as=Nope', undefined],
  ['application/json;v=v1', undefined],
  ['application/json;as=Table;g=meta;v=v1', 'application/json as Table'],
  ['application/yaml;as=Table;g=meta;v=v1', undefined],
  ['application/json;as=Nope;g=meta;v=v1,application/json', 'application/json'],
  ['*/*;as=Table;g=meta;v=v1', 'application/json as Table'],
];

for (const [accept, expected] of cases) {
  test(`negotiateAccept takes ${expected ?? 'nothing'} for ${accept}`, () => {
    const chosen = negotiateAccept(accept, offer);
    assert.equal(
      chosen && (chosen.target ? `${chosen.mediaType} as ${chosen.target.kind}` : chosen.mediaType),
      expected,
    );
  });
}

test('negotiateAccept recognizes pretty=true in Accept', () => {
  assert.equal(negotiateAccept('application/json;pretty=1', offer)?.pretty, true);
  assert.equal(negotiateAccept('application/json;pretty=0', offer)?.pretty, false);
});

test('negotiateAccept with isConvertedOnly skips media types without as=', () => {
  const chosen = negotiateAccept('application/json, application/json;as=Table;g=meta;v=v1', {
    ...offer,
    isConvertedOnly: true,
  });
  assert.equal(chosen?.target?.kind, 'Table');
  assert.equal(negotiateAccept('application/json', { ...offer, isConvertedOnly: true }), undefined);
});

test('negotiateAccept skips media types that cannot encode watches for a watch', () => {
  const streaming: Offer = { ...offer, hasWatch: (type) => type === 'application/json' };
  assert.equal(negotiateAccept('application/yaml;stream=watch', streaming), undefined);
  assert.equal(
    negotiateAccept('application/yaml;stream=watch, application/json', streaming)?.mediaType,
    'application/json',
  );
  assert.equal(negotiateAccept('application/json;stream=watch', streaming)?.mediaType, 'application/json');
});
