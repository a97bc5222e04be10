// The floors of src/: a file imports from its own floor and from those below it, never from one above.

/** Top floor first. An entry is a folder of src/, or a file directly in it; a deeper path takes precedence over a shorter one. */
const floors: readonly (readonly string[])[] = [
  ['main.ts', 'executable.ts', 'index.ts', 'embed', 'cli'],
  ['server'],
  ['http'],
  ['aggregation', 'openapi', 'discovery'],
  ['controllers', 'scheduler', 'simulation', 'volumes'],
  ['auth', 'flowcontrol', 'audit'],
  ['workers', 'client'],
  ['admission'],
  ['registry'],
  ['crd', 'webhook', 'openapi/builder'],
  ['apis'],
  ['transport'],
  ['serializers'],
  ['kind'],
  ['request'],
  ['cel', 'patch', 'pki', 'telemetry', 'store', 'devices', 'selectors'],
  ['schema', 'codec', 'errors', 'dialect', 'base'],
];

/** The floors of console/src/, top floor first. */
const consoleFloors: readonly string[] = ['main.tsx', 'views', 'ui', 'state', 'api'];

/** The floor of a file of the console, counted from the ground. */
export function consoleFloorOf(file: string): number | undefined {
  const [room = ''] = file.replace(/^console\/src\//, '').split('/');
  const index = consoleFloors.indexOf(room);
  return index < 0 ? undefined : consoleFloors.length - 1 - index;
}

/** The floor of a file, counted from the ground; undefined if its folder is on no floor. */
export function floorOf(file: string): number | undefined {
  const path = file.replace(/^src\//, '');
  let best: { readonly length: number; readonly floor: number } | undefined;
  for (const [index, rooms] of floors.entries()) {
    for (const room of rooms) {
      const isInside = path === room || path.startsWith(`${room}/`);
      if (isInside && room.length > (best?.length ?? 0)) {
        best = { length: room.length, floor: floors.length - 1 - index };
      }
    }
  }
  return best?.floor;
}
