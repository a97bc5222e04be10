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

/** Lets pods stay a while on a node that is not ready or cannot be reached, unless they say themselves how long. */
export class DefaultTolerationSeconds implements Plugin {
  readonly name = 'DefaultTolerationSeconds';
  readonly #seconds: Seconds;

  constructor(seconds: Seconds) {
    this.#seconds = seconds;
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return (
      resource.prefix === 'pods' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')
    );
  }

  admit({ api, object }: Attributes): void {
    const { spec } = object as Pod;
    const { notReady, unreachable } = api.dialect.taints;
    const missing = [
      forAWhile(notReady, this.#seconds.defaultNotReadyTolerationSeconds),
      forAWhile(unreachable, this.#seconds.defaultUnreachableTolerationSeconds),
    ].filter(({ key }) => !spec.tolerations?.some((each) => bears(each, key)));
    if (missing.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...missing];
  }
}

function bears({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

const forAWhile = (key: string, tolerationSeconds: number) => ({
  key,
  operator: 'Exists' as const,
  effect: 'NoExecute' as const,
  tolerationSeconds,
});
