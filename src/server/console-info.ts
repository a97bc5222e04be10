// What the web console has to know of the server: its version, and the names of its dialect.
import { orchVersion } from '../base/version.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ConsoleInfo } from '../http/console/console-pages.ts';

export function consoleInfo(dialect: Dialect): ConsoleInfo {
  const { headers, labels, simulation } = dialect;
  return {
    version: orchVersion,
    dialect: dialect.name,
    names: {
      bearerProtocolPrefix: headers.bearerProtocolPrefix,
      authenticationGroup: dialect.groupName('authentication'),
      authorizationGroup: dialect.groupName('authorization'),
      rbacGroup: dialect.groupName('rbac.authorization'),
      discoveryGroup: dialect.groupName('apidiscovery'),
      metaGroup: dialect.groupName('meta'),
      simulatedNodeLabel: labels.simulatedNode,
      failedNodeAnnotation: simulation.failed,
    },
  };
}
