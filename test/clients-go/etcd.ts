/** Replaces etcd where envtest starts one: reports that it is healthy, and stores nothing. Orch stores its objects itself. */
import { createServer } from 'node:http';
import { endWithParent } from './with-parent.ts';

if (process.argv.includes('--help')) process.exit(0);
endWithParent();
const flag = '--listen-client-urls=';
const address = process.argv.find((word) => word.startsWith(flag))?.slice(flag.length);
const { hostname, port } = new URL(address ?? 'http://127.0.0.1:2379');
createServer((_request, response) => response.end('{"health":"true"}')).listen(Number(port), hostname);
process.once('SIGTERM', () => process.exit(0));
