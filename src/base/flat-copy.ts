// Copies of texts for caches that outlive a request.

/**
 * A copy that shares no memory with other texts. V8 represents a part of a text (`slice`) as a reference to the whole:
 * a cache that keeps 20 characters of a request body would otherwise keep the body.
 */
export const flatCopy = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
