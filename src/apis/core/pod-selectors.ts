// Pod: selectable fields.
import type { Pod } from './pod.ts';

/** Fields for fieldSelector, besides metadata.name and metadata.namespace. */
export const podSelectors = {
  selectableFieldNames: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  selectableFields({ spec, status }: Pod): Record<string, string> {
    return {
      'spec.nodeName': spec.nodeName ?? '',
      'spec.restartPolicy': spec.restartPolicy ?? '',
      'spec.schedulerName': spec.schedulerName ?? '',
      'spec.serviceAccountName': spec.serviceAccountName ?? '',
      'spec.hostNetwork': String(spec.hostNetwork ?? false),
      'status.phase': status.phase ?? '',
      'status.podIP': status.podIPs?.[0]?.ip ?? '',
      // kube-apiserver accepts this field in selectors but never sets a value for it.
      'status.podIPs': '',
      'status.nominatedNodeName': status.nominatedNodeName ?? '',
    };
  },
};
