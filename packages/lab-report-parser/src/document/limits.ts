// Limits of docs/contract/16-lab-report-parsing.md#limits, and what keeps a hostile file from
// hurting.

export const MAX_PDF_PAGES = 20
export const MAX_IMAGES = 8
/** Of one uploaded picture: a page of A4 at 600 dots per inch has 35 million. */
export const MAX_IMAGE_PIXELS = 70_000_000
/**
 * What a picture is made smaller to when it is read, and what a page of a PDF is rendered to at
 * most.
 */
export const MAX_RASTER_PIXELS = 16_000_000
/** Of the sides of a PDF page, which are 14400 at most where its viewers keep to their standard. */
export const MAX_PAGE_POINTS = 14_400
/** Of the WebAssembly memory in which one PDF is read. */
export const PDFIUM_MEMORY_BYTES = 512 * 1024 * 1024
