import type { Sheet } from './sheet.ts'
import type { TextStyle } from './text-styles.ts'
import { loadTypefaces, type TypefaceName } from './typefaces.ts'

/** Height of capital letters as a fraction of the size. */
const CAP_HEIGHT = 0.714
const REPLACEMENT = '\uFFFD'
/** Text that all typefaces have: Latin letters, digits and punctuation. */
const PLAIN = /^[\x20-\x7e\xa0-\u024f\u2010-\u2027]*$/

interface Run {
  typeface: TypefaceName
  text: string
}

/** Returns text for rendering: composed letters, without control characters except line breaks. */
function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? '\n' : ''))
}

/** Returns the width of text on one line, in points. */
export function widthOf(sheet: Sheet, text: string, style: TextStyle): number {
  return runsOf(text, style).reduce(
    (width, run) => width + select(sheet, run, style).widthOfString(run.text),
    0,
  )
}

/** Renders one line of text in a line box with the given upper left corner. */
export function renderLine(
  sheet: Sheet,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
): void {
  const baseline = y + (style.leading + style.size * CAP_HEIGHT) / 2
  let at = x
  for (const run of runsOf(text, style)) {
    const doc = select(sheet, run, style).fillColor(style.color)
    doc.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
    at += doc.widthOfString(run.text)
  }
}

function select(sheet: Sheet, run: Run, style: TextStyle): PDFKit.PDFDocument {
  return sheet.doc.font(run.typeface, style.size)
}

/**
 * Splits text into runs of one typeface. Characters that no typeface has become the replacement
 * character.
 */
function runsOf(text: string, { typeface }: TextStyle): Run[] {
  if (PLAIN.test(text)) return text === '' ? [] : [{ typeface, text }]
  const typefaces = loadTypefaces()
  const runs: Run[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const isKnown = typefaces[typeface].hasGlyphForCodePoint(codePoint)
    const isSign = !isKnown && typefaces.signs.hasGlyphForCodePoint(codePoint)
    const name = isSign ? 'signs' : typeface
    const rendered = isKnown || isSign ? character : REPLACEMENT
    const last = runs.at(-1)
    if (last?.typeface === name) last.text += rendered
    else runs.push({ typeface: name, text: rendered })
  }
  return runs
}

/**
 * Breaks text into lines of at most the width in points: at line breaks, blanks, hyphens and
 * slashes, and inside a word only when it is wider than a line. Returns at least one line.
 */
export function wrapText(sheet: Sheet, text: string, style: TextStyle, width: number): string[] {
  return cleanText(text)
    .split('\n')
    .flatMap((paragraph) => wrapParagraph(sheet, paragraph.trimEnd(), style, width))
}

function wrapParagraph(sheet: Sheet, text: string, style: TextStyle, width: number): string[] {
  if (widthOf(sheet, text, style) <= width) return [text]
  const lines: string[] = []
  let line = ''
  const pieces = text.match(/\s*[^\s/-]*[/-]+|\s*[^\s/-]+/g) ?? []
  for (const piece of pieces) {
    if (widthOf(sheet, line + piece, style) <= width) {
      line += piece
      continue
    }
    if (line !== '') lines.push(line)
    line = piece.trimStart()
    while (widthOf(sheet, line, style) > width) {
      const count = countFitting(sheet, line, style, width)
      lines.push(line.slice(0, count))
      line = line.slice(count)
    }
  }
  return line === '' ? lines : [...lines, line]
}

/**
 * Returns how many leading characters of a long word fit into the width; at least one. Addresses
 * are split after a punctuation mark if possible, and surrogate pairs stay together.
 */
function countFitting(sheet: Sheet, text: string, style: TextStyle, width: number): number {
  let count = 0
  let used = 0
  for (const character of text) {
    used += widthOf(sheet, character, style)
    if (used > width && count > 0) break
    count += character.length
  }
  const afterSign = /^.*[.@_?&=]/.exec(text.slice(0, count))?.[0].length ?? 0
  return afterSign > count / 3 ? afterSign : count
}

/** Returns text on one line, cut to the width with an ellipsis. */
export function truncateToLine(
  sheet: Sheet,
  text: string,
  style: TextStyle,
  width: number,
): string {
  const [line = ''] = limitLines(sheet, [cleanText(text).replace(/\n/g, ' ')], 1, style, width)
  return line
}

/** Returns the style, reduced until the longest word fits into the width, down to a least size. */
export function fitWords(
  sheet: Sheet,
  text: string,
  style: TextStyle,
  width: number,
  leastSize = 8.5,
): TextStyle {
  const widest = Math.max(...text.split(/[\s-]+/).map((word) => widthOf(sheet, word, style)))
  if (widest <= width) return style
  const size = Math.max(leastSize, Math.floor(((style.size * width) / widest) * 10) / 10)
  return { ...style, size, leading: (style.leading * size) / style.size }
}

/** Returns the lines, limited in number and width; a cut last line ends in an ellipsis. */
export function limitLines(
  sheet: Sheet,
  lines: string[],
  most: number,
  style: TextStyle,
  width: number,
): string[] {
  if (lines.length <= most && lines.every((line) => widthOf(sheet, line, style) <= width)) {
    return lines
  }
  const kept = lines.slice(0, most)
  let last = [...(kept.at(-1) ?? '')]
  while (last.length > 0 && widthOf(sheet, `${last.join('')}…`, style) > width) {
    last = last.slice(0, -1)
  }
  return [...kept.slice(0, -1), `${last.join('').trimEnd()}…`]
}
