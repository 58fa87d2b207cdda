import { FIELD_NAMES, type FieldName } from '../values/fields.ts';

export const FIELD_COUNT = FIELD_NAMES.length;
export const BODY_INDEX = FIELD_NAMES.indexOf('body');

/** Fields besides the body, whose frequencies stand in a stream of their own. */
export const OTHER_FIELDS = FIELD_NAMES.filter((field) => field !== 'body');
export const OTHER_COUNT = OTHER_FIELDS.length;

/** Index into FIELD_NAMES of each slot of OTHER_FIELDS. */
export const OTHER_INDEXES: readonly number[] = OTHER_FIELDS.map((field) => FIELD_NAMES.indexOf(field));

const INDEXES = Object.fromEntries(FIELD_NAMES.map((field, index) => [field, index])) as Record<
  FieldName,
  number
>;
const SLOTS = Object.fromEntries(
  FIELD_NAMES.map((field) => [field, OTHER_FIELDS.findIndex((other) => other === field)]),
) as Record<FieldName, number>;

/** Index in FIELD_NAMES, the order in which formats store fields. */
export const fieldIndex = (field: FieldName): number => INDEXES[field];

/** Slot in OTHER_FIELDS, -1 for the body. */
export const otherSlot = (field: FieldName): number => SLOTS[field];
