import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

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
  return font
}
