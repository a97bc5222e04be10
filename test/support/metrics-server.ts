// A metrics server of a test: an extension API server for resource, custom and external metrics, with HTTPS on a loopback address.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';

/** The list at a path such as `/apis/metrics.k8s.io/v1beta1/namespaces/n/pods`; undefined responds with 404. */
export type MetricsResponder = (path: string, query: URLSearchParams) => object[] | undefined;

export interface MetricsServer {
  readonly port: number;
  /** The CA of its certificate, as base64 of PEM. */
  readonly caBundle: string;
  /** The paths of requests for metrics, with their queries. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/** `serverName` is the name in its certificate: `SERVICE.NAMESPACE.svc`. */
export async function startMetricsServer(
  host: string,
  serverName: string,
  respond: MetricsResponder,
): Promise<MetricsServer> {
  const authority = await createCA('metrics authority', Date.now());
  const pair = await issueServingCertificate(
    authority,
    { name: 'metrics', hostNames: [serverName] },
    Date.now(),
  );
  const requests: string[] = [];
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://metrics');
    const send = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const [, apis, group = '', version = '', ...rest] = pathname.split('/');
    if (apis !== 'apis' || version === '') return send(404, {});
    const apiVersion = `${group}/${version}`;
    if (rest.length === 0) return send(200, resourceList(apiVersion));
    requests.push(`${pathname}?${searchParams}`);
    const items = respond(pathname, searchParams);
    if (items) return send(200, { kind: listKind(group), apiVersion, metadata: {}, items });
    return send(404, {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'no such metric',
      code: 404,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listKind(group: string): string {
  if (group.startsWith('custom.')) return 'MetricValueList';
  return group.startsWith('external.') ? 'ExternalMetricValueList' : 'PodMetricsList';
}

const resourceList = (groupVersion: string) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ],
});
