/** Quality of a media type in an Accept header: the most specific range that covers it decides (RFC 9110, 12.5.1). */
const qualityOf = (accept: string, type: string): number => {
  const [group = ''] = type.split('/');
  let quality = 0;
  let best = -1;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = [`*/*`, `${group}/*`, type].indexOf(name);
    if (specificity <= best) continue;
    best = specificity;
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    quality = Math.min(1, Math.max(0, Number(q) || 0));
  }
  return quality;
};

/** Whether a client would rather have JSON than a page; one that takes anything gets the page. */
export const prefersJson = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf(accept, 'application/json') > qualityOf(accept, 'text/html');
