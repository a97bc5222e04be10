// Admission plugin DefaultTolerationSeconds: lets pods tolerate not-ready and unreachable nodes for a limited time.
import type { Pod } from '../../apis/core/pod.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { AdmissionOptions } from '../options.ts';
import type { Plugin } from '../plugin.ts';

type TolerationSecondsOptions = Pick<
  AdmissionOptions,
  'defaultNotReadyTolerationSeconds' | 'defaultUnreachableTolerationSeconds'
>;

export class DefaultTolerationSeconds implements Plugin<Pod> {
  readonly name = 'DefaultTolerationSeconds';
  readonly #options: TolerationSecondsOptions;

  constructor(options: TolerationSecondsOptions) {
    this.#options = options;
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return (
      resource.prefix === 'pods' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')
    );
  }

  admit({ api, object }: Attributes<Pod>): void {
    const { spec } = object;
    const { notReady, unreachable } = api.dialect.taints;
    const missing = [
      noExecuteToleration(notReady, this.#options.defaultNotReadyTolerationSeconds),
      noExecuteToleration(unreachable, this.#options.defaultUnreachableTolerationSeconds),
    ].filter(({ key }) => !spec.tolerations?.some((each) => tolerates(each, key)));
    if (missing.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...missing];
  }
}

/** Whether a toleration covers the effect NoExecute of a taint. An empty key or effect covers all of them. */
function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

const noExecuteToleration = (key: string, tolerationSeconds: number) => ({
  key,
  operator: 'Exists' as const,
  effect: 'NoExecute' as const,
  tolerationSeconds,
});
