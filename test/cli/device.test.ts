import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

for (const dialect of ['orch', 'kubernetes'] as const) {
  const group = dialect === 'orch' ? 'resource.orch.io' : 'resource.k8s.io';

  describe(`orch device, in the dialect ${dialect}`, () => {
    let server: EmbeddedServer;

    before(async () => {
      server = await startServer({
        dialect,
        featureGates: { DynamicResourceAllocation: true },
        runtimeConfig: { [`${group}/v1beta1`]: true, [`${group}/v1beta2`]: true },
      });
      await publish('old', 1, 2, [gpu('a0', 'a100', '40Gi')]);
      await publish('new', 2, 2, [gpu('a1', 'a100', '40Gi'), gpu('h1', 'h100', '80Gi')]);
    });
    after(() => server.stop());

    const gpu = (name: string, model: string, memory: string) => ({
      name,
      basic: { attributes: { model: { string: model } }, capacity: { memory: { value: memory } } },
    });

    async function post(plural: string, body: object): Promise<void> {
      const response = await fetch(`${server.url}/apis/${group}/v1beta1/${plural}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 201, await response.text());
    }

    const publish = (name: string, generation: number, resourceSliceCount: number, devices: object[]) =>
      post('resourceslices', {
        metadata: { name },
        spec: {
          driver: 'gpu.example.com',
          nodeName: 'n1',
          pool: { name: 'n1', generation, resourceSliceCount },
          devices,
        },
      });

    const classOf = (name: string, ...expressions: string[]) =>
      post('deviceclasses', {
        metadata: { name },
        spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) },
      });

    async function device(...args: string[]) {
      const [out, err]: [string[], string[]] = [[], []];
      const terminal = {
        out: (text: string) => out.push(text),
        err: (text: string) => err.push(text),
        inColor: false,
      };
      const code = await main(['device', ...args, '--server', server.url], terminal);
      return { code, out: out.map((text) => text.replace(/ {2,}/g, ' | ')), err };
    }

    test('select lists which devices match a class, and why not the others', async () => {
      const model = "device.attributes['gpu.example.com'].model";
      await classOf('large', `${model}.startsWith('h')`, "device.driver == 'gpu.example.com'");
      assert.deepEqual(await device('select', 'large'), {
        code: 0,
        out: [
          'DEVICE | MATCHES | REASON',
          `gpu.example.com/n1/a1 | no | not ${model}.startsWith('h')`,
          'gpu.example.com/n1/h1 | yes',
        ],
        err: [
          'Warning: pool gpu.example.com/n1 is incomplete: some of its ResourceSlices are missing.',
          'Warning: devices of older pool generations were skipped: 1',
        ],
      });
    });

    test('select compares capacities, and an unknown domain is an empty map', async () => {
      await classOf(
        'roomy',
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('64Gi')) >= 0",
        "size(device.attributes['other.example.com']) == 0",
      );
      assert.deepEqual((await device('select', 'roomy')).out.slice(2), ['gpu.example.com/n1/h1 | yes']);
    });

    test('select stops at a missing attribute and at a result that is not a bool', async () => {
      await classOf('missing', "device.attributes['gpu.example.com'].cores > 4");
      assert.deepEqual(await device('select', 'missing'), {
        code: 1,
        out: ['DEVICE | MATCHES | REASON', 'gpu.example.com/n1/a1 | error | no such key: cores'],
        err: [
          'Warning: pool gpu.example.com/n1 is incomplete: some of its ResourceSlices are missing.',
          'Warning: devices of older pool generations were skipped: 1',
          'orch: selector 0 of the class failed: no such key: cores',
        ],
      });
      await classOf('text', "device.attributes['gpu.example.com'].model");
      const { code, err } = await device('select', 'text');
      assert.equal(code, 1);
      assert.equal(err.at(-1), 'orch: selector 0 of the class failed: the result is neither true nor false');
    });

    test('select -o json prints the same result', async () => {
      await classOf('small', "device.attributes['gpu.example.com'].model == 'a100'");
      const { out } = await device('select', 'small', '-o', 'json');
      assert.deepEqual(JSON.parse(out.join('\n').replaceAll(' | ', ' ')), {
        class: 'small',
        selectors: ["device.attributes['gpu.example.com'].model == 'a100'"],
        devices: [
          { driver: 'gpu.example.com', pool: 'n1', device: 'a1', matches: true },
          { driver: 'gpu.example.com', pool: 'n1', device: 'h1', matches: false, failedSelector: 0 },
        ],
        incompletePools: ['gpu.example.com/n1'],
        outdatedDevices: 1,
      });
    });

    test('a missing class or argument is an error', async () => {
      assert.deepEqual(await device('select', 'nope'), {
        code: 1,
        out: [],
        err: ['orch: DeviceClass "nope" not found'],
      });
      assert.equal((await device('select')).err[0], 'orch: CLASS is required: orch device select CLASS');
    });
  });
}
