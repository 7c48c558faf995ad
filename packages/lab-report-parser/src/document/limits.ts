// Limits of docs/contract/16-lab-report-parsing.md#limits, and limits that protect from hostile
// files.

export const MAX_PDF_PAGES = 20
export const MAX_IMAGES = 8
/** Pixels of one uploaded picture: a page of A4 at 600 dots per inch has 35 million. */
export const MAX_IMAGE_PIXELS = 70_000_000
/**
 * A larger picture is scaled down to this before it is read; it is also the largest rendering of a
 * PDF page.
 */
export const MAX_RASTER_PIXELS = 16_000_000
/** Longest side of a PDF page; viewers that keep to the standard have the same limit. */
export const MAX_PAGE_POINTS = 14_400
/** WebAssembly memory for one PDF. */
export const PDFIUM_MEMORY_BYTES = 512 * 1024 * 1024
