/** The part of fontkit that is used here; the package ships no types. */
declare module 'fontkit' {
  export interface Font {
    readonly characterSet: number[]
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): unknown
    glyphForCodePoint(codePoint: number): unknown
  }
  export function create(file: Uint8Array): Font
}
