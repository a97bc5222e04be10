// Admission plugin DefaultTolerationSeconds: lets pods tolerate not-ready and unreachable nodes for a while.
import type { Pod } from '../../apis/core/pod.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { AdmissionOptions } from '../options.ts';
import type { Plugin } from '../plugin.ts';

type Seconds = Pick<
  AdmissionOptions,
  'defaultNotReadyTolerationSeconds' | 'defaultUnreachableTolerationSeconds'
>;

export class DefaultTolerationSeconds implements Plugin<Pod> {
  readonly name = 'DefaultTolerationSeconds';
  readonly #seconds: Seconds;

  constructor(seconds: Seconds) {
    this.#seconds = seconds;
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
      noExecuteToleration(notReady, this.#seconds.defaultNotReadyTolerationSeconds),
      noExecuteToleration(unreachable, this.#seconds.defaultUnreachableTolerationSeconds),
    ].filter(({ key }) => !spec.tolerations?.some((each) => tolerates(each, key)));
    if (missing.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...missing];
  }
}

function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

const noExecuteToleration = (key: string, tolerationSeconds: number) => ({
  key,
  operator: 'Exists' as const,
  effect: 'NoExecute' as const,
  tolerationSeconds,
});
