import type { Word } from '../pages/page.ts'
import type { LineImage } from './crop-line.ts'
import { findWidestGap, type Ink, measureInk, type Span } from './ink.ts'
import type { Character } from './read-lines.ts'

// Lengths are in pixels of a line image, whose height is that of the line.

/** Half the width of a letter whose edges cannot be seen. */
const halfLetter = 10
/** A gap this wide separates words even if no space was read: cells of a table may be close. */
const widestLetterGap = 16
/** A space in a narrower gap is uncertain. */
const narrowestSpace = 3
const sureSpace = 0.9
/** Words stand this much farther apart than the letters of a word. */
const spaceWidth = 8
const figureSpace = 10

/** Words of a line as read, with boxes in pixels of the page. */
export function splitWords(line: LineImage, characters: readonly Character[]): Word[] {
  const ink = measureInk(line)
  const groups = groupCharacters(ink, characters)
  return groups.map((group, index) => {
    const before = groups[index - 1]?.at(-1)?.x
    const after = groups[index + 1]?.[0]?.x
    const start = findEdge(ink, group[0]!.x, before, -1)
    const end = findEdge(ink, group.at(-1)!.x, after, 1) + 1
    const span = { start: Math.min(start, end - 1), end: Math.max(start + 1, end) }
    return makeWord(line, group, span, ink)
  })
}

function groupCharacters(ink: Ink, characters: readonly Character[]): Character[][] {
  const letters = characters.filter(({ text }) => text !== ' ')
  const gaps = letters.map((letter, index) => {
    const gap = index > 0 && findWidestGap(ink, letters[index - 1]!.x, letter.x)
    return gap ? gap.end - gap.start : 0
  })
  const usual = findUsualGap(gaps.slice(1))
  const isGapWide = (index: number) => {
    const pair = letters.slice(index - 1, index + 1).map(({ text }) => text)
    // A 1 and a point stand far from the figures beside them.
    if (pair.every((text) => /[\d.,]/.test(text))) {
      return gaps[index]! > (/\d\d/.test(pair.join('')) ? usual + figureSpace : widestLetterGap)
    }
    return gaps[index]! > usual + spaceWidth
  }
  const groups: Character[][] = []
  let space = 0
  let index = 0
  for (const character of characters) {
    if (character.text === ' ') {
      space = character.confidence
      continue
    }
    const isApart =
      space > 0 ? space > sureSpace || gaps[index]! >= narrowestSpace : isGapWide(index)
    if (index === 0 || isApart) groups.push([])
    groups.at(-1)!.push(character)
    space = 0
    index++
  }
  return groups
}

/** Returns the usual gap between letters of words in a line; undefined for few letters. */
function findUsualGap(gaps: readonly number[]): number {
  if (gaps.length < 3) return widestLetterGap - spaceWidth
  const sorted = gaps.toSorted((a, b) => a - b)
  return Math.min(widestLetterGap - spaceWidth, sorted[Math.floor(sorted.length * 0.3)]!)
}

/**
 * Returns the last column of a word from one of its letters towards its neighbor, or the border of
 * the line.
 */
function findEdge(ink: Ink, letter: number, neighbour: number | undefined, step: 1 | -1): number {
  if (neighbour !== undefined) {
    const gap = findWidestGap(ink, letter, neighbour)
    if (gap) return step < 0 ? gap.end : gap.start - 1
    return Math.round(letter + step * Math.min(halfLetter, Math.abs(neighbour - letter) / 2))
  }
  let last = Math.min(ink.columns.length - 1, Math.max(0, Math.round(letter)))
  for (let x = last; x >= 0 && x < ink.columns.length; x += step) if (ink.columns[x]) last = x
  return last
}

function makeWord(line: LineImage, characters: readonly Character[], span: Span, ink: Ink): Word {
  const { region } = line
  const scale = region.width / line.width
  const along = ((span.start + span.end) / 2) * scale - region.width / 2
  const x = region.x + along * Math.cos(region.angle)
  const y = region.y + along * Math.sin(region.angle)
  const length = (span.end - span.start) * scale
  // The upright box of a turned word: its ends rise, its own height stays.
  const width = length * Math.cos(region.angle)
  const height = region.height * 0.8 + Math.abs(length * Math.sin(region.angle))
  return {
    text: correctLookalikes(characters.map((character) => character.text).join('')),
    box: { x: x - width / 2, y: y - height / 2, width, height },
    // A word is as certain as its least certain character: one wrong digit makes a wrong value.
    confidence: Math.min(...characters.map((character) => character.confidence)),
    // A region reaches a little above and below its letters.
    fontSize: region.height * 0.78,
    isBold: false,
    color: ink.findColor(span),
  }
}

/** Signs that look alike, where what stands beside them leaves no doubt. */
function correctLookalikes(text: string): string {
  if (/^[<>≤≥]?[\dO.,-]+$/.test(text) && /[\d<>≤≥]/.test(text)) return text.replaceAll('O', '0')
  return text
    .replace(/(?<=mo)1(?=$|\/)/g, 'l')
    .replace(/(?<=\/[dmuµμ]?)1$/, 'l')
    .replace(/(?<=^[x×]?10)[%°](?=\/L)/, '⁹')
}
