import type { Box, Word } from './page.ts'
import type { Character } from './pdf-characters.ts'
import type { PdfPage } from './pdf-document.ts'
import type { Graphics, Picture } from './pdf-graphics.ts'
import { joinCharacters } from './pdf-words.ts'
import { looksLikeText } from './text-quality.ts'

// Decides whether the text layer of a page matches its appearance. A rejected page is recognized,
// which costs seconds and some accuracy; a wrongly accepted one gives wrong results. In doubt a
// layer is rejected.

/** Shares of the page. */
const SCAN_COVERS = 0.5
const LARGE_PICTURE = 0.3
const SMALL_PICTURE = 0.02
/** Characters that their font does not map; arrows and check marks are allowed. */
const MAX_UNKNOWN = 0.04
/** Words over a picture of the page: fewer are a stamp or a page number. */
const MIN_WORDS_OVER_SCAN = 40
const MIN_WORDS_BESIDE_PICTURE = 150
const MIN_WORDS_IN_PICTURE = 5
const MAX_LEAN_DEGREES = 5

/** Returns the visible upright words of a page, or null when the page must be recognized. */
export function chooseWords(
  page: PdfPage,
  characters: readonly Character[],
  graphics: Graphics,
): Word[] | null {
  const pictures = graphics.pictures.filter(({ box }) => shareOf(page, box) >= SMALL_PICTURE)
  const onPage = characters.filter((character) => isOnPage(page, character))
  const readable = onPage.filter(({ style }) => Math.abs(style.angle) < MAX_LEAN_DEGREES)
  const visible = readable.filter(
    (character) => !character.style.isInvisible && !isCovered(character, pictures, graphics),
  )
  // An empty page has nothing to recognize.
  if (visible.length === 0 && graphics.objects === 0) return []
  // A page on its side, or upside down, is turned as a picture.
  if (readable.length < onPage.length / 2) return null
  const isScan = sum(pictures.map(({ box }) => shareOf(page, box))) > SCAN_COVERS
  return isScan ? chooseOverScan(readable, visible) : chooseWithoutScan(page, visible, pictures)
}

function chooseOverScan(
  readable: readonly Character[],
  visible: readonly Character[],
): Word[] | null {
  const printed = joinCharacters(visible)
  if (
    printed.length >= MIN_WORDS_OVER_SCAN &&
    isKnown(visible) &&
    looksLikeText(printed, 'printed')
  )
    return printed
  const recognized = joinCharacters(readable)
  return isKnown(readable) && looksLikeText(recognized, 'recognized') ? recognized : null
}

function chooseWithoutScan(
  page: PdfPage,
  visible: readonly Character[],
  pictures: readonly Picture[],
): Word[] | null {
  const words = joinCharacters(visible)
  if (words.length === 0 || !isKnown(visible) || !looksLikeText(words, 'printed')) return null
  const hidesText = pictures.some(
    ({ box }) =>
      shareOf(page, box) >= LARGE_PICTURE &&
      words.length < MIN_WORDS_BESIDE_PICTURE &&
      words.filter((word) => isInside(word.box, box)).length < MIN_WORDS_IN_PICTURE,
  )
  return hidesText ? null : words
}

function isOnPage(page: PdfPage, { x, y, style }: Character): boolean {
  return x > -1 && x < page.width && y > 0 && y < page.height + style.size / 4
}

function isKnown(characters: readonly Character[]): boolean {
  return characters.filter(({ text }) => text === '').length <= MAX_UNKNOWN * characters.length
}

function isCovered(
  { x, y, style }: Character,
  pictures: readonly Picture[],
  { order }: Graphics,
): boolean {
  const drawn = order.get(style.object) ?? Number.POSITIVE_INFINITY
  return pictures.some(
    (picture) => picture.order > drawn && isInside({ x, y, width: 0, height: 0 }, picture.box),
  )
}

function isInside({ x, y, width, height }: Box, outer: Box): boolean {
  const [centerX, centerY] = [x + width / 2, y + height / 2]
  return (
    centerX >= outer.x &&
    centerX <= outer.x + outer.width &&
    centerY >= outer.y &&
    centerY <= outer.y + outer.height
  )
}

function shareOf(page: PdfPage, { width, height }: Box): number {
  return (width * height) / (page.width * page.height)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
