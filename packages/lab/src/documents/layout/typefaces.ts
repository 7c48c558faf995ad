import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type GlyphRun } from 'fontkit'

/** Names under which the typefaces are registered in a document. */
export type TypefaceName = 'regular' | 'semibold' | 'signs'
export type Typefaces = Readonly<Record<TypefaceName, Font>>

const { resolve } = createRequire(import.meta.url)

let typefaces: Typefaces | undefined

/**
 * Loads Noto Sans in two weights, and signs such as ≥ that it lacks (a subset of Noto Sans Math
 * beside this file). Loading a typeface costs more than rendering a page, so it happens once per
 * process; documents embed their own subsets.
 */
export function loadTypefaces(): Typefaces {
  typefaces ??= {
    regular: readTypeface(notoSans('400Regular')),
    semibold: readTypeface(notoSans('600SemiBold')),
    signs: readTypeface(new URL('./noto-sans-math-signs.ttf', import.meta.url)),
  }
  return typefaces
}

function notoSans(weight: string): string {
  return resolve(`@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`)
}

function readTypeface(file: string | URL): Font {
  const font = create(readFileSync(file))
  // A glyph keeps the characters of its first use, by which text is extracted from the PDF. Using
  // each character once in a fixed order keeps one document from changing the next. Ligatures come
  // first, or they would be extracted as their single characters.
  font.layout('ff fi fl ffi ffl')
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  rememberWords(font)
  return font
}

/** Words are forgotten together when there are so many; longer ones are not remembered. */
const MOST_WORDS = 2_000
const LONGEST_WORD = 24

/**
 * Remembers how words are laid out, which is most of the work of a document: those of its labels
 * are the same in all. pdfkit remembers them too, but for one document.
 */
function rememberWords(font: Font): void {
  const layout = font.layout.bind(font)
  const words = new Map<string, GlyphRun>()
  font.layout = (text, ...features) => {
    const isPlain = features.every((feature) => feature === undefined)
    if (!isPlain || text.length > LONGEST_WORD) return layout(text, ...features)
    const known = words.get(text) ?? layout(text)
    if (words.size >= MOST_WORDS) words.clear()
    words.set(text, known)
    return copyRun(known)
  }
}

/** pdfkit scales the positions of a run in place. */
function copyRun(run: GlyphRun): GlyphRun {
  const positions = run.positions.map((position) => ({ ...position }))
  return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions })
}
