const counts = new Intl.NumberFormat('en');

/** A count as people read it: `1,234`. */
export const formatCount = (count: number): string => counts.format(count);

/** A count with its noun, in the plural unless it is one. */
export const pluralOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
/** From here on three digits would round up to the next unit's one. */
const NEXT_UNIT = 999.5;

/** Bytes in the largest decimal unit of which there is at least one, with three digits. */
export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= NEXT_UNIT && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit === 0) return `${value} bytes`;
  // toPrecision(3) would write 1,000 and more with an exponent, and what is just below one unit as 0.999 or so.
  const digits = value < 100 ? Math.max(1, value).toPrecision(3) : Math.round(value);
  return `${digits} ${BYTE_UNITS[unit]}`;
};

/** A duration in the two largest units that say something: `9.5 s`, `42 s`, `3 min 5 s`, `2 h 7 min`. */
export const formatDuration = (durationMs: number): string => {
  const tenths = Math.round(durationMs / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
