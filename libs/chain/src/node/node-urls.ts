/**
 * Parses the URLs of nodes. A node that is listed twice is returned once, because it has one vote.
 *
 * @throws RangeError if one is neither http nor https; its message does not contain the URL
 */
export function parseNodeUrls(texts: readonly string[]): URL[] {
  return [...new Map(texts.map(parseUrl).map((url) => [url.href, url])).values()];
}

function parseUrl(text: string, index: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new RangeError(`URL ${index + 1} of the Hive API nodes is neither http nor https`);
}
