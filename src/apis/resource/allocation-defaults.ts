/** One device, unless something else is asked for. */
export function fillInAllocation(request: { allocationMode?: string; count?: number }): void {
  if (!request.allocationMode) request.allocationMode = 'ExactCount';
  if (request.allocationMode === 'ExactCount' && !request.count) request.count = 1;
}
