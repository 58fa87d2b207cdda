/** Pages are other people's text: control characters would steer the terminal, bidi marks disguise what stands there. */
export const plain = (text: string): string =>
  text.replace(/\p{Bidi_Control}/gu, '').replace(/\p{Cc}/gu, ' ');

/** Runs that a terminal breaks anywhere and nobody reads: URLs, base64. Scripts without spaces are not among them. */
const LONG_RUN = /[!-~]+/g;

/** Cuts each run of ASCII signs to `columns`, with … at its end. `columns` is undefined where nothing needs to fit. */
export const fitWords = (text: string, columns: number | undefined): string =>
  columns === undefined
    ? text
    : text.replace(LONG_RUN, (run) =>
        run.length <= columns ? run : `${run.slice(0, Math.max(0, columns - 1))}…`,
      );
