/** A pod template with one label. */
export const podTemplate = (app: string, spec: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }], ...spec },
});

export const selector = (app: string) => ({ matchLabels: { app } });
