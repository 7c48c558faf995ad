/**
 * A rectangle in the units of its page: points of a PDF, pixels of an image. The origin is the
 * upper left corner.
 */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A word on a page: text without a space, as printed. */
export interface Word {
  text: string
  box: Box
  /** 0 to 1; 1 in a text layer, which is certain. */
  confidence: number
  /** In units of the page. */
  fontSize: number
  isBold: boolean
  /** `#rrggbb`; null where it is not known. */
  color: string | null
}

/** The words of one upright page, from its text layer or recognized in its picture. */
export interface PageText {
  /** From 1. */
  number: number
  width: number
  height: number
  source: 'text_layer' | 'recognized'
  words: Word[]
  /** Maps coordinates of this page to those of the uploaded page; null where they are the same. */
  toSource: Homography | null
  /** Width and height of the page as it was uploaded, turned as its viewer shows it. */
  sourceSize: { width: number; height: number }
}

/** A projective map of the plane: nine numbers, row by row. */
export type Homography = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** A picture: red, green and blue of each pixel, row by row from the upper left corner. */
export interface Raster {
  width: number
  height: number
  data: Uint8Array
}
