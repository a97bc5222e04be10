import type { Dialect } from '../../dialect/dialect.ts';
import type { Wanted } from './each-namespace.ts';

/** The account of pods that name none. */
export const defaultAccount: Wanted = {
  keeper: 'serviceaccount',
  plural: 'serviceaccounts',
  name: 'default',
  fields: {},
  isGood: () => true,
};

/** By which authorities, in PEM, pods know this server. */
export function publishedAuthorities(dialect: Dialect, certificates: string): Wanted {
  const written = Buffer.from(JSON.stringify(certificates));
  return {
    keeper: 'root_ca_cert_publisher',
    plural: 'configmaps',
    name: dialect.tokenVolume.authorities,
    fields: {
      metadata: {
        annotations: {
          [dialect.annotations.description]: 'The authorities by which pods know the API server.',
        },
      },
      data: { 'ca.crt': certificates },
    },
    isGood: ({ json }) => json.includes(written),
  };
}
