import assert from 'node:assert/strict'
import type { PdfPage, ReadPdf, TextPiece } from './read-pdf.ts'

/** Whether every page shows something, and all text is legible, inside the page, and by itself. */
export function assertGoodLayout({ pages, language, isTagged, producer }: ReadPdf): void {
  assert.equal(language, 'en-US')
  assert.equal(producer, 'Salus')
  assert.ok(isTagged, 'tagged')
  assert.ok(pages.length > 0, 'has pages')
  pages.forEach((page, index) => {
    const at = `page ${index + 1}`
    assert.ok(countDarkPixels(page) > 150, `${at} is not blank`)
    for (const piece of page.pieces) assertInside(page, piece, at)
    for (const [one, other] of overlapping(page.pieces)) {
      assert.fail(`${at}: "${one.text}" and "${other.text}" overlap`)
    }
  })
}

/** Pixels that a reader sees as print. */
function countDarkPixels({ image }: PdfPage): number {
  let count = 0
  for (let at = 0; at < image.data.length; at += 4) {
    const light =
      ((image.data[at] ?? 0) + (image.data[at + 1] ?? 0) + (image.data[at + 2] ?? 0)) / 3
    if (light < 140) count++
  }
  return count
}

function assertInside({ width, height }: PdfPage, piece: TextPiece, at: string): void {
  const { text, x, y, size } = piece
  assert.ok(size > 7.99, `${at}: "${text}" is smaller than 8 points`)
  const isInside = x >= 0 && y - size * 0.25 >= 0 && x + piece.width <= width && y + size <= height
  assert.ok(isInside, `${at}: "${text}" leaves the page`)
}

function overlapping(pieces: readonly TextPiece[]): [TextPiece, TextPiece][] {
  return pieces.flatMap((one, index) =>
    pieces
      .slice(index + 1)
      .filter((other) => {
        const isBeside = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5
        return !isBeside && Math.abs(one.y - other.y) < Math.min(one.size, other.size) * 0.8
      })
      .map((other): [TextPiece, TextPiece] => [one, other]),
  )
}

/** Asserts that a document says each of the texts, however its lines are broken. */
export function assertSays({ pages }: ReadPdf, texts: readonly (string | null)[]): void {
  const said = pages.map(({ text }) => text.replace(/\s/g, '')).join('')
  for (const text of texts) {
    if (text !== null) assert.ok(said.includes(text.replace(/\s/g, '')), `says "${text}"`)
  }
}
