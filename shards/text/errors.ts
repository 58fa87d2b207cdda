import { defineErrors } from '../values/errors.ts';

export const textErrors = {
  TEXT_UNKNOWN_ANALYSER: {
    exit: 2,
    message: 'there is no analyser "{name}"; known ones are: {known}',
  },
} as const;

export const failText = defineErrors(textErrors);
