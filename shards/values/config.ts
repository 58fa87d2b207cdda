import type { Static, TObject } from 'typebox';
// Not typebox/value, which does the same and would double the time in which a command starts.
import { Errors } from 'typebox/schema';
import { defineErrors } from './errors.ts';

export const configErrors = {
  CONFIG_UNKNOWN_KEY: { exit: 2, message: 'unknown setting "{key}"; known ones are: {known}' },
  CONFIG_BAD_VALUE: { exit: 2, message: 'setting "{key}": {value} is not allowed; {reason}' },
} as const;
const fail = defineErrors(configErrors);

/** One schema of a room: type, default, unit, range and help text of every setting. */
export interface ConfigSchema<Schema extends TObject> {
  readonly schema: Schema;
  /** Fills in defaults, refuses unknown keys and values out of range, freezes the result. */
  readonly parse: (input?: Readonly<Record<string, unknown>>) => Readonly<Static<Schema>>;
}

/** Makes a room's settings from one schema. `parse` throws CONFIG_UNKNOWN_KEY and CONFIG_BAD_VALUE. */
export const defineConfig = <Schema extends TObject>(schema: Schema): ConfigSchema<Schema> => ({
  schema,
  parse: (input = {}) => {
    for (const key of Object.keys(input)) {
      if (!(key in schema.properties)) {
        throw fail('CONFIG_UNKNOWN_KEY', { key, known: Object.keys(schema.properties).join(', ') });
      }
    }
    const value = withDefaults(schema, input);
    const [, [first]] = Errors(schema, value);
    if (first !== undefined) {
      const key = first.instancePath.slice(1).split('/')[0] ?? '';
      throw fail('CONFIG_BAD_VALUE', { key, value: JSON.stringify(input[key]), reason: first.message });
    }
    return Object.freeze(value) as Readonly<Static<Schema>>;
  },
});

/** Defaults stand on settings, not inside them. */
const withDefaults = (
  { properties }: TObject,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const entries = Object.entries(properties).map(([key, property]): [string, unknown] => {
    const fallback = (property as { readonly default?: unknown }).default;
    return [key, structuredClone(input[key] === undefined ? fallback : input[key])];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};
