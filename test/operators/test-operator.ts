import type { Cluster } from './cluster.ts';
import { type Definition, type FoundManifest, manifestsIn } from './manifests.ts';
import type { Operator } from './operators.ts';
import { rejectedExamples } from './rejected-examples.ts';

/** The result of an operator on a server. */
export interface OperatorResult {
  readonly summary: string;
  /** Unexpected results. */
  readonly problems: readonly string[];
  /** Further information. */
  readonly notes: readonly string[];
}

/** Installs the CRDs of an operator, and creates each of its examples. */
export async function testOperator(
  cluster: Cluster,
  operator: Operator,
  folder: string,
): Promise<OperatorResult> {
  const problems: string[] = [];
  const notes: string[] = [];
  const definitions = definitionsIn(folder, operator.definitions);
  await cluster.longestBlock();
  const times: number[] = [];
  for (const { file, object } of definitions) {
    try {
      times.push(await cluster.install(object));
      notes.push(`${object.metadata.name}: ${times.at(-1)!.toFixed(0)} ms`);
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const blockedByDefinitions = await cluster.longestBlock();
  const { found, templates } = manifestsIn(folder, operator.examples);
  for (const file of templates) notes.push(`${file} is no YAML`);
  const examples = await tryExamples(cluster, operator, definitions, found, problems);
  const blockedByExamples = await cluster.longestBlock();
  if (definitions.length === 0 || examples === 0) problems.push('there is nothing to try');
  const shown = (block: number | undefined) =>
    block === undefined ? '' : `, loop late by ${block.toFixed(0)} ms at most`;
  const average = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  const slowest = Math.max(0, ...times);
  return {
    problems,
    notes,
    summary:
      `${times.length} definitions (${average.toFixed(0)} ms each, ${slowest.toFixed(0)} ms at most${shown(blockedByDefinitions)}), ` +
      `${examples} examples${shown(blockedByExamples)}`,
  };
}

function definitionsIn(folder: string, paths: readonly string[]): FoundManifest<Definition>[] {
  return manifestsIn(folder, paths).found.filter(
    (each): each is FoundManifest<Definition> => each.object.kind === 'CustomResourceDefinition',
  );
}

/** Creates the examples of the CRDs' kinds; resolves to their number. */
async function tryExamples(
  cluster: Cluster,
  { name }: Operator,
  definitions: readonly FoundManifest<Definition>[],
  examples: readonly FoundManifest[],
  problems: string[],
): Promise<number> {
  await cluster.addNamespace(name);
  const expectedRefusals = rejectedExamples[name] ?? {};
  const unseen = new Set(Object.keys(expectedRefusals));
  let tried = 0;
  for (const { file, object } of examples) {
    const definition = definitions.find(({ object: { spec } }) => {
      const isServed = spec.versions.some(
        (each) => each.served && `${spec.group}/${each.name}` === object.apiVersion,
      );
      return isServed && spec.names.kind === object.kind;
    });
    if (!definition) continue;
    tried++;
    const place = `${file} ${object.metadata.name}`;
    const refusal = await cluster.tryObject(object, definition.object, name);
    const expected = expectedRefusals[place];
    unseen.delete(place);
    if (refusal === undefined && expected !== undefined) problems.push(`${place}: is not refused`);
    if (refusal !== undefined && (expected === undefined || !refusal.includes(expected)))
      problems.push(`${place}: ${refusal}`);
  }
  for (const place of unseen) problems.push(`${place}: is not there`);
  return tried;
}
