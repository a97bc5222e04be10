// Resource usage of the containers of a simulated pod: by its annotations, else a share of the requests.
import type { Container } from '../../apis/core/container.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { parseQuantity, quantityOf, valueAtScale } from '../../schema/quantity.ts';

/** In nanocores and bytes. */
export interface SimulatedUsage {
  readonly cpu: bigint;
  readonly memory: bigint;
}

export interface ContainerUsage extends SimulatedUsage {
  readonly name: string;
}

type MeasuredResource = keyof SimulatedUsage;

/** The unit of each resource as a power of ten. */
const scales: Readonly<Record<MeasuredResource, number>> = { cpu: -9, memory: 0 };

/** Without an annotation, a container uses its requests divided by this. */
const requestDivisor = 2n;
/** The usage of a container without requests: 10m and 32Mi. */
const defaultUsage: SimulatedUsage = { cpu: 10_000_000n, memory: 32n * 1024n ** 2n };

/** The usage of each running container; empty if none runs. */
export function containerUsage(pod: Pod, { simulation }: Dialect): ContainerUsage[] {
  const containers = runningContainers(pod);
  if (containers.length === 0) return [];
  const annotations = pod.metadata.annotations ?? {};
  const cpu = usageByContainer('cpu', annotations[simulation.cpuUsage], containers);
  const memory = usageByContainer('memory', annotations[simulation.memoryUsage], containers);
  return containers.map(({ name }, index) => ({ name, cpu: cpu[index]!, memory: memory[index]! }));
}

/** SimulatedUsage as metrics servers report it. */
export function usageQuantities({ cpu, memory }: SimulatedUsage): Record<string, string> {
  return {
    cpu: quantityOf(cpu, scales.cpu).text,
    memory: quantityOf(memory, scales.memory, 'BinarySI').text,
  };
}

/** Regular containers and sidecars that run. */
function runningContainers({ spec, status }: Pod): Container[] {
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  const running = new Set(statuses.filter(({ state }) => state?.running).map(({ name }) => name));
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return containers.filter(({ name }) => running.has(name));
}

/**
 * `250m` is the usage of the pod, of which every container has an equal part. `web=200m,proxy=50m` is the usage of single containers.
 * A part that is no quantity is ignored.
 */
function usageByContainer(
  resource: MeasuredResource,
  annotation: string | undefined,
  containers: readonly Container[],
): bigint[] {
  const total = parseUsage(resource, annotation ?? '');
  if (total !== undefined) return equalParts(total, containers.length);
  const named = new Map(
    (annotation ?? '').split(',').map((entry) => {
      const [name = '', text = ''] = entry.split('=', 2);
      return [name.trim(), text];
    }),
  );
  return containers.map((container) => {
    const text = named.get(container.name) ?? '';
    return parseUsage(resource, text) ?? shareOfRequests(resource, container);
  });
}

/** Undefined if the text is no quantity. */
function parseUsage(resource: MeasuredResource, text: string): bigint | undefined {
  const quantity = parseQuantity(text.trim());
  if ('problem' in quantity || quantity.amount < 0n) return undefined;
  return valueAtScale(quantity, scales[resource]);
}

/** The parts add up to the total. */
function equalParts(total: bigint, count: number): bigint[] {
  const part = total / BigInt(count);
  const remainder = total - part * BigInt(count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? part + remainder : part));
}

function shareOfRequests(resource: MeasuredResource, { resources }: Container): bigint {
  const request = parseUsage(resource, resources.requests?.[resource] ?? '');
  return request === undefined ? defaultUsage[resource] : request / requestDivisor;
}
