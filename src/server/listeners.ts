// Opens the listeners, and keeps their certificates current.
import { publishAuthentication } from '../auth/extension-apiserver-authentication.ts';
import { advertisedAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import { keysUriAt } from '../http/endpoints/token-issuer.ts';
import type { Pki } from '../pki/ensure-pki.ts';
import { readProxyCa } from './authentication.ts';
import type { Background } from './background.ts';
import { CertificateReloader, type LoadedCertificates } from './certificate-reloader.ts';
import { loadCertificates, proxyIdentityOf } from './certificates.ts';
import { type Components, startTogether } from './component.ts';
import type { Foundation } from './foundation.ts';
import type { Serving } from './http.ts';
import {
  assertPortsFree,
  openPlainListener,
  openSecureListener,
  publicSecureUrl,
  tlsMaterial,
} from './listen.ts';
import type { ServerOptions } from './options.ts';
import { requestHeaderConfig } from './request-header-config.ts';
import type { Resources } from './resources.ts';
import type { AdminCredentials, RunningServer, ServerParts } from './server-parts.ts';

/** Opens the listeners, and publishes their addresses and CAs. */
export async function openListeners(
  options: ServerOptions,
  parts: ServerParts,
  { clock, logger, dialect, proxyCa }: Foundation,
  { client }: Resources,
  { http, state, authentication, aggregation }: Serving,
  { certificates, endpoints }: Background,
  components: Components,
): Promise<Pick<RunningServer, 'url' | 'secureUrl'>> {
  const isShared = parts.sharing !== undefined;
  if (isShared) await assertPortsFree(options);
  const plainUrl = await openPlainListener(http, options, isShared);
  if (certificates) {
    const useCas = async (loaded: LoadedCertificates) => {
      const { clientCa } = loaded.certificates;
      authentication.setCas(clientCa, loaded.proxyCa);
      const identity = proxyIdentityOf(loaded.certificates);
      const requestHeader = requestHeaderConfig(options, loaded.proxyCa, identity);
      await publishAuthentication(client, dialect, clock, {
        clientCa,
        ...(requestHeader && { requestHeader }),
      });
    };
    const current = { certificates, proxyCa };
    await startTogether(logger, { start: () => useCas(current) });
    const reloader = new CertificateReloader(current, {
      clock,
      logger,
      load: async (previous) => ({
        certificates: await loadCertificates(options, dialect, clock, previous.certificates),
        proxyCa: await readProxyCa(options),
      }),
      async apply(loaded) {
        http.setTls(tlsMaterial(loaded.certificates, loaded.proxyCa));
        aggregation.setClientCertificate(loaded.certificates.proxy);
        parts.sharing?.onCertificates?.(loaded);
        await useCas(loaded);
        const admin = adminCredentialsOf(loaded.certificates.pki);
        if (admin.cert !== adminCredentialsOf(certificates.pki).cert) parts.onAdminRenewed?.(admin);
      },
    });
    components.add(reloader).start();
  }
  const secureUrl =
    certificates && (await openSecureListener(http, options, certificates, proxyCa, isShared));
  state.jwksUri =
    options.serviceAccountJwksUri ?? keysUriAt(publicSecureUrl(options, secureUrl) ?? plainUrl ?? '');
  const address =
    secureUrl === undefined
      ? undefined
      : { port: Number(new URL(secureUrl).port), ...advertisedAddress(options) };
  await startTogether(logger, { start: () => endpoints.publish(address) });
  return { url: plainUrl ?? secureUrl ?? '', secureUrl };
}

export const adminCredentialsOf = ({ admin }: Pki): AdminCredentials => ({
  cert: admin.certificate,
  key: admin.key,
});
