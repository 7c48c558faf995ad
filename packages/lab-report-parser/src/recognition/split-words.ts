import type { Word } from '../pages/page.ts'
import { type LineImage, lineHeight } from './crop-line.ts'
import type { Character } from './read-lines.ts'

/** Half the width of a letter whose edges cannot be seen, in pixels of the line image. */
const halfLetter = 10
/** A gap this wide, in pixels of the line image, parts words though no space was read. */
const widestLetterGap = 16

/** Words of a line, with boxes in pixels of the page. */
export function splitWords(line: LineImage, characters: readonly Character[]): Word[] {
  const ink = inkColumns(line)
  const groups: Character[][] = [[]]
  let previous: Character | undefined
  for (const character of characters) {
    if (character.text === ' ') {
      groups.push([])
    } else {
      if (previous && widestGap(ink, previous.x, character.x) > widestLetterGap) groups.push([])
      groups.at(-1)!.push(character)
      previous = character
    }
  }
  const words = groups.filter((group) => group.length > 0)
  return words.map((group, index) => {
    const before = words[index - 1]?.at(-1)!.x
    const after = words[index + 1]?.[0]!.x
    const start = edge(ink, group[0]!.x, before ?? 0, before === undefined)
    const end = edge(ink, group.at(-1)!.x, after ?? line.width - 1, after === undefined)
    return makeWord(line, group, Math.min(start, end), Math.max(start, end) + 1)
  })
}

/** Where a word ends that reaches from a letter towards another one or the border of the line. */
function edge(ink: readonly boolean[], letter: number, limit: number, isBorder: boolean): number {
  const direction = limit < letter ? -1 : 1
  const from = Math.min(ink.length - 1, Math.max(0, Math.round(letter)))
  const gap = isBorder ? undefined : findWidestGap(ink, letter, limit)
  if (gap) return direction < 0 ? gap.end : gap.start - 1
  if (!isBorder)
    return Math.round(letter + direction * Math.min(halfLetter, Math.abs(limit - letter) / 2))
  let last = from
  for (let x = from; x >= 0 && x < ink.length; x += direction) if (ink[x]) last = x
  return last
}

function widestGap(ink: readonly boolean[], from: number, to: number): number {
  const gap = findWidestGap(ink, from, to)
  return gap ? gap.end - gap.start : 0
}

/** The longest run of columns without ink between two letters. */
function findWidestGap(
  ink: readonly boolean[],
  from: number,
  to: number,
): { start: number; end: number } | undefined {
  const first = Math.max(0, Math.round(Math.min(from, to)))
  const last = Math.min(ink.length, Math.round(Math.max(from, to)))
  let best: { start: number; end: number } | undefined
  for (let x = first; x < last; x++) {
    if (ink[x]) continue
    const start = x
    while (x < last && !ink[x]) x++
    if (!best || x - start > best.end - best.start) best = { start, end: x }
  }
  return best
}

/** Which columns hold something that differs from the background, which is what most of the line is. */
function inkColumns(line: LineImage): boolean[] {
  const grey = new Uint8Array(line.width * lineHeight)
  for (let index = 0; index < grey.length; index++) {
    const pixel = index * 3
    grey[index] = (line.data[pixel]! * 2 + line.data[pixel + 1]! * 5 + line.data[pixel + 2]!) >> 3
  }
  const sorted = grey.toSorted()
  const background = sorted[Math.floor(sorted.length * 0.6)]!
  const darkest = sorted[Math.floor(sorted.length * 0.02)]!
  const lightest = sorted[Math.floor(sorted.length * 0.98)]!
  const contrast = Math.max(background - darkest, lightest - background)
  const isDark = background - darkest >= lightest - background
  const columns: boolean[] = []
  for (let x = 0; x < line.width; x++) {
    let count = 0
    for (let y = 4; y < lineHeight - 4; y++) {
      const difference = background - grey[y * line.width + x]!
      if ((isDark ? difference : -difference) > contrast * 0.4) count++
    }
    columns.push(count > 0)
  }
  return columns
}

function makeWord(
  line: LineImage,
  characters: readonly Character[],
  start: number,
  end: number,
): Word {
  const { region } = line
  const scale = region.width / line.width
  const along = ((start + end) / 2) * scale - region.width / 2
  const x = region.x + along * Math.cos(region.angle)
  const y = region.y + along * Math.sin(region.angle)
  const length = (end - start) * scale
  // The upright box of a turned word: its ends rise, its own height stays.
  const width = length * Math.cos(region.angle)
  const height = region.height * 0.8 + Math.abs(length * Math.sin(region.angle))
  const confidences = characters.map((character) => character.confidence)
  return {
    text: characters.map((character) => character.text).join(''),
    box: { x: x - width / 2, y: y - height / 2, width, height },
    confidence: Math.min(...confidences),
    fontSize: region.height * 0.7,
    isBold: false,
    color: null,
  }
}
