// root-ca-certificate-publisher-controller: publishes the CA of the API server to every namespace, in a ConfigMap that
// pods mount.
import type { ControllerContext } from '../runtime/controller.ts';
import { NamespaceObjectController } from '../runtime/namespace-object-controller.ts';

export class RootCaCertPublisher extends NamespaceObjectController {
  /** `rootCa`: PEM. */
  constructor(context: ControllerContext, rootCa: string) {
    const { annotations, tokenVolume } = context.dialect;
    const rootCaJson = Buffer.from(JSON.stringify(rootCa));
    super(context, {
      queueName: 'root_ca_cert_publisher',
      resource: 'configmaps',
      name: tokenVolume.caConfigMap,
      fields: {
        metadata: {
          annotations: { [annotations.description]: 'The authorities by which pods know the API server.' },
        },
        data: { 'ca.crt': rootCa },
      },
      isUpToDate: ({ json }) => json.includes(rootCaJson),
    });
  }
}
