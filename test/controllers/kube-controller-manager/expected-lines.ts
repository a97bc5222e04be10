import type { ExpectedLine } from './log.ts';

/**
 * Log lines of kube-controller-manager that occur with any server. Every entry also occurred with the real kube-apiserver
 * (`--server reference`).
 */
export const expectedLines: readonly ExpectedLine[] = [
  {
    says: /the object has been modified; please apply your changes to the latest version and try again/,
    because: 'two controllers, or a controller and a scenario, have changed the same object: it tries again',
  },
  {
    says: /^E horizontal\.go .*the server could not find the requested resource \(get pods\.metrics\.k8s\.io\)/,
    because: 'metrics come from a server of their own that nobody has installed',
  },
  {
    says: /^I actual_state_of_world\.go "Failed to update statusUpdateNeeded field .* because nodeName=\\"\w+\\" does not exist"/,
    because: 'it has seen the node before any volume was attached to it',
  },
];
