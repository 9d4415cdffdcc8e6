/** The media types of a list. */
export type Representation = 'json' | 'csv';

const mediaTypes: Readonly<Record<string, Representation>> = { 'application/json': 'json', 'text/csv': 'csv' };

/**
 * CSV if the client lists it and does not prefer JSON; otherwise JSON for any Accept header, because existing clients
 * send arbitrary ones and expect JSON.
 */
export function representationFor(accept: string | undefined): Representation {
  if (accept === undefined || !accept.toLowerCase().includes('text/csv')) return 'json';
  let best: { form: Representation; quality: number } = { form: 'json', quality: 0 };
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const form = mediaTypes[type];
    const quality = qualityOf(parameters);
    if (form !== undefined && quality > best.quality) best = { form, quality };
  }
  return best.form;
}

function qualityOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
  return text === undefined ? 1 : Number(text) || 0;
}
