import { multiplyMatrices, type PdfPage, transform } from './pdf-document.ts'
import type { Pdfium } from './pdfium.ts'

/** Properties of characters that are drawn together. */
interface TextStyle {
  /** Handle of the object that draws them. */
  object: number
  /** In points, as shown. */
  size: number
  /** Angle of its base line, in degrees clockwise; 0 is from left to right. */
  angle: number
  isBold: boolean
  color: string | null
  isInvisible: boolean
}

/** One character of a text layer, in the coordinates of the upright page. */
export interface Character {
  /** Empty when its font does not map it to a character. */
  text: string
  /** Start on its base line. */
  x: number
  y: number
  /** Width on its line, with its space. */
  left: number
  right: number
  /** Bounds of its ink, if known. */
  inkLeft: number
  inkRight: number
  style: TextStyle
}

/** More than any page of a report has; a page with more is recognized instead. */
const MAX_CHARACTERS = 60_000
const RENDER_MODE_STROKE = 1
const RENDER_MODE_FILL_STROKE = 2
const RENDER_MODE_INVISIBLE = 3
const RENDER_MODE_CLIP = 7
/** FontDescriptor flag 19 of ISO 32000. */
const FORCE_BOLD = 1 << 18
const BOLD_NAME = /bold|black|heavy|semibold|demi(?!light)|[-,]bd\b/i
/** PDFium's sign for a hyphen at the end of a line. */
const LINE_END_HYPHEN = 2

/** Returns the characters of a page, in drawing order, including spaces. */
export function readCharacters(page: PdfPage): Character[] {
  const { pdfium } = page
  const textPage = pdfium.call.FPDFText_LoadPage(page.handle)
  if (textPage === 0) return []
  try {
    const count = pdfium.call.FPDFText_CountChars(textPage)
    if (count > MAX_CHARACTERS) return []
    const styles = new Map<number, TextStyle>()
    const characters: Character[] = []
    for (let index = 0; index < count; index++) {
      if (pdfium.call.FPDFText_IsGenerated(textPage, index)) continue
      const object = pdfium.call.FPDFText_GetTextObject(textPage, index)
      let style = styles.get(object)
      if (!style) {
        style = readStyle(page, textPage, index, object)
        styles.set(object, style)
      }
      const character = readCharacter(page, textPage, index, style)
      if (character) characters.push(character)
    }
    return characters
  } finally {
    pdfium.call.FPDFText_ClosePage(textPage)
  }
}

function readStyle(page: PdfPage, textPage: number, index: number, object: number): TextStyle {
  const { pdfium } = page
  const { call, scratch } = pdfium
  call.FPDFText_GetMatrix(textPage, index, scratch)
  const [a = 1, b = 0, c = 0, d = 1] = pdfium.floats(4)
  const [A, B, C, D] = multiplyMatrices([a, b, c, d, 0, 0], page.toUpright)
  const mode = object === 0 ? 0 : call.FPDFTextObj_GetTextRenderMode(object)
  const readColor =
    mode === RENDER_MODE_STROKE ? call.FPDFText_GetStrokeColor : call.FPDFText_GetFillColor
  return {
    object,
    size: call.FPDFText_GetFontSize(textPage, index) * Math.hypot(C, D),
    angle: (Math.atan2(B, A) * 180) / Math.PI,
    isBold: mode === RENDER_MODE_FILL_STROKE || (object !== 0 && hasBoldFont(pdfium, object)),
    color: pdfium.color((red, green, blue, alpha) =>
      readColor(textPage, index, red, green, blue, alpha),
    ),
    isInvisible: mode === RENDER_MODE_INVISIBLE || mode === RENDER_MODE_CLIP,
  }
}

function hasBoldFont({ call }: Pdfium, object: number): boolean {
  const font = call.FPDFTextObj_GetFont(object)
  if (font === 0) return false
  if (call.FPDFFont_GetFlags(font) & FORCE_BOLD) return true
  const buffer = call.malloc(128)
  const bytes = call.FPDFFont_GetBaseFontName(font, buffer, 128)
  const name =
    bytes > 128 ? '' : new TextDecoder().decode(new Uint8Array(call.memory.buffer, buffer, bytes))
  call.free(buffer)
  return BOLD_NAME.test(name)
}

function readCharacter(
  page: PdfPage,
  textPage: number,
  index: number,
  style: TextStyle,
): Character | undefined {
  const { pdfium, toUpright } = page
  const { call, scratch } = pdfium
  if (!call.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8)) return undefined
  const origin = transform(
    toUpright,
    pdfium.view.getFloat64(scratch, true),
    pdfium.view.getFloat64(scratch + 8, true),
  )
  call.FPDFText_GetLooseCharBox(textPage, index, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.floats(4)
  const [from, to] = spanOf(page, left, bottom, right, top)
  call.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  const ink = [0, 8, 16, 24].map((offset) => pdfium.view.getFloat64(scratch + offset, true))
  const [inkLeft, inkRight] = spanOf(page, ink[0] ?? 0, ink[2] ?? 0, ink[1] ?? 0, ink[3] ?? 0)
  const text = call.FPDFText_HasUnicodeMapError(textPage, index)
    ? ''
    : toText(call.FPDFText_GetUnicode(textPage, index))
  const isInked = inkRight > inkLeft
  return {
    text,
    ...origin,
    left: to > from ? from : origin.x,
    right: to > from ? to : origin.x,
    inkLeft: isInked ? inkLeft : from,
    inkRight: isInked ? inkRight : to,
    style,
  }
}

function spanOf(
  page: PdfPage,
  left: number,
  bottom: number,
  right: number,
  top: number,
): [left: number, right: number] {
  const one = transform(page.toUpright, left, bottom).x
  const other = transform(page.toUpright, right, top).x
  return one < other ? [one, other] : [other, one]
}

function toText(code: number): string {
  if (code === LINE_END_HYPHEN) return '-'
  // Private use characters have no known meaning; control characters and the replacement character
  // have none.
  if (code < 9 || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || code > 0x10ffff)
    return ''
  return String.fromCodePoint(code)
}
