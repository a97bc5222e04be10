import { ask, type Case, type JsonObject, post } from '../case.ts';

/** One case per rule of a kind: each object is to be created, most of them are refused. `dryRun` keeps the rest from staying. */
export function tries(
  path: (rest?: string) => string,
  objects: Readonly<Record<string, JsonObject | JsonObject[]>>,
): Case[] {
  return Object.entries(objects).map(([name, tried]) =>
    ask(
      name,
      [tried].flat().map((object) => post(path('?dryRun=All'), object)),
    ),
  );
}
