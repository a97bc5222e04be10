// Finalizers of the built-in kinds: most strategies require them to be qualified, on create and on update.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { unqualifiedFinalizer } from '../kind/meta/validation.ts';
import { builtinKinds } from './index.ts';
import { type StrategyResult, tryCreateLoaded, tryUpdateLoaded } from './try-rules.ts';

/** Kinds whose finalizers may have any name in kube-apiserver too, and kinds that are not stored. */
const acceptsAnyFinalizer =
  /^admissionregistration |^authentication |^authorization |^ bindings|^ events|apiservices|componentstatuses|customresourcedefinitions|leasecandidates|leases|poddisruptionbudgets|runtimeclasses/;

const body = { metadata: { finalizers: ['example.com/x', 'x'] } };
const isRejected = ({ problems }: StrategyResult<unknown>) =>
  problems.includes(`metadata.finalizers[1]: Invalid value: "x": ${unqualifiedFinalizer}`);

for (const definition of builtinKinds({ dialect: kubernetes, features: everyFeature })) {
  const { group, version, plural } = definition;
  if (acceptsAnyFinalizer.test(`${group} ${plural}`)) continue;
  test(`finalizers are qualified: ${group || 'core'}/${version} ${plural}`, async () => {
    assert.ok(isRejected(await tryCreateLoaded(definition, body)), 'on create');
    // An update of a StorageVersion is not validated.
    if (plural !== 'storageversions')
      assert.ok(isRejected(await tryUpdateLoaded(definition, {}, body)), 'on update');
  });
}
