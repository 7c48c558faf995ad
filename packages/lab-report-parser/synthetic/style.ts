import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'

/** Layouts by part: those that the parser is tuned with, and those that it is not tuned with. */
export const FAMILIES = {
  tuned: [
    'table',
    'table',
    'table',
    'table',
    'stacked',
    'lines',
    'mono',
    'cards',
    'two-columns',
    'bars',
    'blocks',
  ],
  unseen: ['split-values', 'min-max', 'leaders', 'numbered', 'table'],
} as const
export type Part = keyof typeof FAMILIES
export type Family = (typeof FAMILIES)[Part][number]

/** Regular, bold and italic font: standard fonts of PDF, or files. */
export interface FontFamily {
  name: string
  regular: string
  bold: string
  italic: string
  /** Whether the font has signs such as ≥ and arrows. */
  hasSymbols: boolean
}

const require = createRequire(import.meta.url)
const liberation = (cut: string) =>
  join(
    dirname(require.resolve('pdfjs-dist/package.json')),
    'standard_fonts',
    `LiberationSans-${cut}.ttf`,
  )
const noto = (cut: string) =>
  join(
    dirname(require.resolve('@expo-google-fonts/noto-sans/package.json')),
    cut,
    `NotoSans_${cut}.ttf`,
  )

const FONTS: Record<Part, FontFamily[]> = {
  tuned: [
    {
      name: 'Helvetica',
      regular: 'Helvetica',
      bold: 'Helvetica-Bold',
      italic: 'Helvetica-Oblique',
      hasSymbols: false,
    },
    {
      name: 'Times',
      regular: 'Times-Roman',
      bold: 'Times-Bold',
      italic: 'Times-Italic',
      hasSymbols: false,
    },
    {
      name: 'Liberation',
      regular: liberation('Regular'),
      bold: liberation('Bold'),
      italic: liberation('Italic'),
      hasSymbols: true,
    },
    {
      name: 'Liberation',
      regular: liberation('Regular'),
      bold: liberation('Bold'),
      italic: liberation('Italic'),
      hasSymbols: true,
    },
  ],
  unseen: [
    {
      name: 'Noto',
      regular: noto('400Regular'),
      bold: noto('700Bold'),
      italic: noto('400Regular_Italic'),
      hasSymbols: false,
    },
    {
      name: 'Noto Light',
      regular: noto('300Light'),
      bold: noto('600SemiBold'),
      italic: noto('300Light_Italic'),
      hasSymbols: false,
    },
    {
      name: 'Courier',
      regular: 'Courier',
      bold: 'Courier-Bold',
      italic: 'Courier-Oblique',
      hasSymbols: false,
    },
    {
      name: 'Liberation',
      regular: liberation('Regular'),
      bold: liberation('Bold'),
      italic: liberation('Italic'),
      hasSymbols: true,
    },
  ],
}
const COURIER: FontFamily = {
  name: 'Courier',
  regular: 'Courier',
  bold: 'Courier-Bold',
  italic: 'Courier-Oblique',
  hasSymbols: false,
}

export type Column =
  | 'number'
  | 'name'
  | 'value'
  | 'flag'
  | 'unit'
  | 'range'
  | 'previous'
  | 'method'
  | 'minimum'
  | 'maximum'
  | 'in-range'
  | 'out-of-range'
export type Align = 'left' | 'center' | 'right'

const ORDERS: Column[][] = [
  ['name', 'value', 'unit', 'range'],
  ['name', 'value', 'flag', 'unit', 'range'],
  ['name', 'value', 'unit', 'range', 'flag'],
  ['name', 'value', 'range', 'unit'],
  ['name', 'value', 'flag', 'range', 'unit'],
  ['name', 'flag', 'value', 'unit', 'range'],
  ['name', 'value', 'unit', 'flag', 'range'],
  ['name', 'range', 'value', 'unit'],
  ['name', 'unit', 'value', 'range'],
  ['name', 'value', 'previous', 'unit', 'range'],
  ['name', 'value', 'unit', 'range', 'previous'],
  ['name', 'previous', 'value', 'flag', 'unit', 'range'],
  ['name', 'method', 'value', 'unit', 'range'],
  ['name', 'value', 'flag', 'unit', 'range', 'method'],
  ['name', 'value', 'unit'],
]
const UNSEEN_ORDERS: Column[][] = [
  ['name', 'method', 'value', 'flag', 'unit', 'range', 'previous'],
  ['name', 'unit', 'range', 'value', 'flag'],
  ['name', 'range', 'unit', 'value'],
]

/** Look of one report; each choice is independent of the others. */
export interface Style {
  family: Family
  font: FontFamily
  size: number
  page: 'LETTER' | 'A4'
  isLandscape: boolean
  margin: number
  lineHeight: number
  columns: Column[]
  valueAlign: Align
  border: 'none' | 'header' | 'rows' | 'grid' | 'zebra' | 'box'
  heading: 'bold' | 'band' | 'underlined' | 'centered' | 'upper' | 'none'
  hasColumnTitles: 'once' | 'sections' | 'none'
  /** Place of the unit: in a column, after the value, after the range, or after both. */
  unitPlace: 'column' | 'value' | 'range'
  isNameUpper: boolean
  isNameBold: boolean
  isTitleUpper: boolean
  hasMethodBelow: boolean
  header: 'two-columns' | 'lines' | 'box' | 'grid' | 'centered'
  repeatsHeader: boolean
  accent: string
  hasLogo: boolean
  watermark: string | null
  commentShare: number
  hasFooter: boolean
  nameIndent: number
  nameOrder: 'first-last' | 'last-first' | 'last-comma'
}

export function drawStyle(random: Random, part: Part): Style {
  const family: Family = random.pick(FAMILIES[part])
  const font = family === 'mono' ? COURIER : random.pick(FONTS[part])
  // A table of the unseen part differs from those of the tuned one in the order of its columns.
  const columns = random.pick(part === 'unseen' ? UNSEEN_ORDERS : ORDERS)
  const isLandscape = family.startsWith('t') && random.chance(0.07)
  return {
    family,
    font,
    size: random.between(family === 'two-columns' ? 7 : 7.8, family === 'two-columns' ? 8 : 10.6),
    page: random.pick(['LETTER', 'A4']),
    isLandscape,
    margin: random.between(28, 60),
    lineHeight: random.between(1.35, 2.1),
    columns,
    valueAlign: random.pick(['left', 'left', 'center', 'right']),
    border: random.pick(['none', 'none', 'header', 'rows', 'grid', 'zebra', 'box']),
    heading: random.pick(['bold', 'bold', 'band', 'underlined', 'centered', 'upper']),
    hasColumnTitles: random.pick(['once', 'once', 'sections']),
    unitPlace: columns.includes('unit')
      ? random.pick(['column', 'column', 'column', 'column', 'value', 'range'])
      : 'value',
    isNameUpper: random.chance(0.15),
    isNameBold: random.chance(0.15),
    isTitleUpper: random.chance(0.25),
    hasMethodBelow: random.chance(0.1),
    header: random.pick(['two-columns', 'lines', 'box', 'grid', 'centered']),
    repeatsHeader: random.chance(0.5),
    accent: random.pick(['#1f4e79', '#7a1f2b', '#22613a', '#333333', '#5a3d8a', '#0a6b75']),
    hasLogo: random.chance(0.4),
    watermark: random.chance(0.08) ? random.pick(['SAMPLE', 'COPY', 'FINAL']) : null,
    commentShare: random.chance(0.3) ? 0.18 : 0,
    hasFooter: random.chance(0.8),
    nameIndent: random.chance(0.3) ? random.between(6, 16) : 0,
    nameOrder: random.pick(['first-last', 'first-last', 'last-first', 'last-comma']),
  }
}
