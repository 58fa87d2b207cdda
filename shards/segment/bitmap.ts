import roaring, { type RoaringBitmap32 as Bitmap } from 'roaring';

// The only file that imports the package: it is CommonJS, whose names an ES module finds on its default export alone.

/** A set of documents of one segment, compressed (Chambi, Lemire and others, "Better bitmap performance with Roaring bitmaps"). */
export const RoaringBitmap32 = roaring.RoaringBitmap32;
export type RoaringBitmap32 = Bitmap;
