// DRA: defaults of allocationMode and count.

/** The default is ExactCount with one device. */
export function defaultAllocation(request: { allocationMode?: string; count?: number }): void {
  if (!request.allocationMode) request.allocationMode = 'ExactCount';
  if (request.allocationMode === 'ExactCount' && !request.count) request.count = 1;
}
