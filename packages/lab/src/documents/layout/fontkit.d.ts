/** The part of fontkit that is used here; the package ships no types. */
declare module 'fontkit' {
  /** Glyphs of a text with their positions. */
  export interface GlyphRun {
    positions: object[]
  }
  export interface Font {
    readonly characterSet: number[]
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string, ...features: unknown[]): GlyphRun
    glyphForCodePoint(codePoint: number): unknown
  }
  export function create(file: Uint8Array): Font
}
