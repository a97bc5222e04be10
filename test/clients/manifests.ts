/** Manifests for kubectl, as JSON, which is also YAML. */
export function configMap(
  name: string,
  data?: Readonly<Record<string, string>>,
  labels?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data });
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

export const web: Container = { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] };
export const side: Container = { name: 'side', image: 'side:1' };

/** A Deployment with the containers `web` and `side`, or others. */
export function deployment(
  name: string,
  { replicas, containers = [web, side] }: { replicas?: number; containers?: readonly Container[] } = {},
): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
    },
  });
}

export function documents(...manifests: readonly string[]): string {
  return manifests.join('\n---\n');
}
