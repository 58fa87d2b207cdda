import roaring, { type RoaringBitmap32 as Bitmap } from 'roaring';

/** A set of documents. The package is CommonJS, whose names an ES module finds on its default export only. */
export const RoaringBitmap32 = roaring.RoaringBitmap32;
export type RoaringBitmap32 = Bitmap;
