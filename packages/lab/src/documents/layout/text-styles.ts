import type { TypefaceName } from './typefaces.ts'

/** All colours: dark text, quiet text, one accent. Text keeps a contrast of at least 5.5 to 1. */
export const COLORS = {
  ink: '#17232b',
  quiet: '#55636d',
  accent: '#0b5c66',
  rule: '#d5dce0',
  tint: '#f1f5f6',
  paper: '#ffffff',
} as const

/** Style of text; sizes and leading (line height) in points. No size is below 8. */
export interface TextStyle {
  typeface: Exclude<TypefaceName, 'signs'>
  size: number
  leading: number
  color: string
}

export const STYLES = {
  title: { typeface: 'semibold', size: 20, leading: 26, color: COLORS.ink },
  name: { typeface: 'semibold', size: 12, leading: 16, color: COLORS.ink },
  heading: { typeface: 'semibold', size: 10.5, leading: 14, color: COLORS.accent },
  lead: { typeface: 'regular', size: 11, leading: 16.5, color: COLORS.ink },
  read: { typeface: 'regular', size: 10, leading: 14.5, color: COLORS.ink },
  body: { typeface: 'regular', size: 9.5, leading: 13.5, color: COLORS.ink },
  strong: { typeface: 'semibold', size: 9.5, leading: 13.5, color: COLORS.ink },
  small: { typeface: 'regular', size: 8.5, leading: 12, color: COLORS.quiet },
  label: { typeface: 'regular', size: 8, leading: 11, color: COLORS.quiet },
} as const satisfies Record<string, TextStyle>
