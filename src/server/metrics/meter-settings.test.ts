// Tests of the metric options.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { silentLogger } from '../../telemetry/log.ts';
import { defaultOptions, type ServerOptions } from '../options.ts';
import { createMetricsOptions } from './metrics-options.ts';

const settings = (options: Partial<ServerOptions>) =>
  createMetricsOptions({ ...defaultOptions, ...options }, orch, silentLogger);

test('--show-hidden-metrics-for-version accepts only the previous release', () => {
  assert.equal(settings({}).showHidden, false);
  assert.equal(settings({ showHiddenMetricsForVersion: '1.32' }).showHidden, true);
  for (const release of ['1.31', '1.33', '1.34', 'v1.32', '1.32.0', 'x']) {
    assert.throws(() => settings({ showHiddenMetricsForVersion: release }), {
      message:
        "--show-hidden-metrics-for-version must be omitted or have the value '1.32'. Only the previous minor version is allowed",
    });
  }
});

test('allowed label values are keyed by metric and label', () => {
  const { allowedLabels } = settings({ allowMetricLabels: { 'm,code': '200,404', 'm,verb': 'GET' } });
  assert.deepEqual(allowedLabels.get('m')?.get('code'), new Set(['200', '404']));
  assert.deepEqual(allowedLabels.get('m')?.get('verb'), new Set(['GET']));
  for (const key of ['a', 'a,b,c', '1a,b', 'a,1b', '']) {
    assert.throws(() => settings({ allowMetricLabels: { [key]: 'x' } }), {
      message:
        '--allow-metric-labels must have a list of kv pair with format `metricName,labelName=labelValue, labelValue,...`',
    });
  }
});

test('the flag overrides the manifest of allowed label values', () => {
  const dir = mkdtempSync(join(tmpdir(), 'orch-labels-'));
  try {
    const path = join(dir, 'labels.yaml');
    writeFileSync(path, 'm,code: "200,404"\nm,verb: GET\n');
    const { allowedLabels } = settings({
      allowMetricLabelsManifest: path,
      allowMetricLabels: { 'm,code': '500' },
    });
    assert.deepEqual(allowedLabels.get('m')?.get('code'), new Set(['500']));
    assert.deepEqual(allowedLabels.get('m')?.get('verb'), new Set(['GET']));
    for (const text of ['', 'x', '- a', 'm,code: [200]', 'm,code: 200']) {
      writeFileSync(path, text);
      assert.throws(
        () => settings({ allowMetricLabelsManifest: path }),
        /is not a map from metric,label to allowed values/,
      );
    }
    assert.throws(() => settings({ allowMetricLabelsManifest: join(dir, 'none') }), { code: 'ENOENT' });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
