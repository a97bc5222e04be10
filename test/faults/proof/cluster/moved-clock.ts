/** Preloaded into a server: moves its clock by the number of milliseconds in a file. */
import { readFileSync } from 'node:fs';

const file = process.env.ORCH_TEST_CLOCK_FILE;
const LOOK_MS = 20;

if (file !== undefined) {
  const systemNow = Date.now;
  let offset = 0;
  const look = () => {
    // Empty while it is being written.
    const text = readFileSync(file, 'utf8');
    if (text !== '') offset = Number(text);
  };
  look();
  setInterval(look, LOOK_MS).unref();
  const SystemDate = Date;
  SystemDate.now = () => systemNow() + offset;
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [SystemDate.now()] : args, newTarget),
  });
}
