/** A path parameter that carries a session: `;jsessionid=0A1B.node1` up to the next parameter or segment. */
const PATH_PARAMETER = /;(?:jsessionid|phpsessid|sessionid|sid)=[^;/]*/gi;

/** Query parameters that are a session by their name alone. */
const SESSION_NAME =
  /^(?:phpsessid|jsessionid|sessionid|session_id|sessid|aspsessionid[a-z]{8}|asp\.net_sessionid|cfid|cftoken|oscsid|zenid|osesssid|bv_sessionid)$/i;

/** Names that carry a session or something else (`s` is a search as often); the value decides. */
const DOUBTFUL_NAME = /^(?:s|session|sess|sesskey)$/i;
const TOKEN_VALUE = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-z]{26})$/i;
/** `sid` numbers stories on old news sites: short decimal numbers stay, hexadecimal and long values are sessions. */
const SID_VALUE = /^(?:(?=\d*[a-f])[0-9a-f]{6,}|[0-9a-f]{8,}|[0-9a-z,-]{16,})$/i;

const isSession = (parameter: string): boolean => {
  const equals = parameter.indexOf('=');
  if (equals < 0) return false;
  const name = parameter.slice(0, equals);
  if (SESSION_NAME.test(name)) return true;
  const value = parameter.slice(equals + 1);
  if (name.toLowerCase() === 'sid') return SID_VALUE.test(value);
  return DOUBTFUL_NAME.test(name) && TOKEN_VALUE.test(value);
};

export const dropPathSession = (path: string): string =>
  path.includes(';') ? path.replace(PATH_PARAMETER, '') : path;

/** `query` begins with `?` or is empty; so does the result. The order of the other parameters stays. */
export const dropQuerySession = (query: string): string => {
  if (!query.includes('=')) return query;
  const parameters = query.slice(1).split('&');
  const kept = parameters.filter((parameter) => !isSession(parameter));
  if (kept.length === parameters.length) return query;
  const joined = kept.join('&');
  return joined === '' ? '' : `?${joined}`;
};
