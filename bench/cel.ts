// node scripts/launch.mjs bench/cel.ts: CEL expressions compiled and evaluated per second of CPU time. The best of several
// rounds counts, because other processes can only make a round slower.
import { Issues, types } from '../src/cel/index.ts';
import { createEnvironment } from '../src/cel/versions.ts';

const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x-frontend', labels: { app: 'frontend' } },
  spec: {
    replicas: 3,
    template: {
      spec: {
        containers: ['web', 'proxy', 'log'].map((name) => ({
          name,
          image: `reg/${name}:1`,
          ports: [{ containerPort: 80 }],
        })),
      },
    },
  },
};

const expressions = [
  "object.spec.replicas <= 5 && object.metadata.name.startsWith('x')",
  "object.spec.template.spec.containers.all(c, c.image.startsWith('reg/'))",
  "!has(object.metadata.labels) || object.metadata.labels['app'] in ['frontend', 'backend']",
  "object.spec.template.spec.containers.exists(c, c.name == 'log') && object.spec.replicas % 3 == 0",
  "object.spec.template.spec.containers.map(c, c.name).join(',')",
  "object.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
];

const rounds = 15;
const evaluationsPerRound = 50_000;

const environment = createEnvironment({ serviceName: 'orch' }).extend({ object: { type: types.dyn } });
const variables = { object };

function perSecond(count: number, work: () => void): number {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const startUsage = process.cpuUsage();
    for (let i = 0; i < count; i++) work();
    const { user, system } = process.cpuUsage(startUsage);
    best = Math.max(best, count / ((user + system) / 1e6));
  }
  return Math.round(best);
}

console.log('evaluations/s   compilations/s   cost   expression');
for (const expression of expressions) {
  const program = environment.compile(expression);
  if (program instanceof Issues) throw new Error(program.text);
  const { cost } = program.evaluate(variables);
  const evaluated = perSecond(evaluationsPerRound, () =>
    program.evaluate(variables, { costLimit: 1_000_000 }),
  );
  const compiled = perSecond(100, () => environment.compile(expression));
  console.log(
    `${evaluated.toLocaleString('en').padStart(13)}   ${compiled.toLocaleString('en').padStart(14)}   ${String(cost).padStart(4)}   ${expression}`,
  );
}
