import type { PageImage } from './read-pdf.ts'

/**
 * Widths of bars and spaces in modules, by value; the last is the stop (ISO/IEC 15417, table 1).
 */
const PATTERNS = `
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132
122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212
322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311
112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321
331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214
112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212
124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113
411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)
const VALUES: ReadonlyMap<string, number> = new Map(
  PATTERNS.map((pattern, value) => [pattern, value]),
)
const [START_A, START_B, START_C, STOP] = [103, 104, 105, 106]

/** All Code 128 symbols that a scanner would find on a page, reading it line by line. */
export function readCode128(image: PageImage): string[] {
  const found = new Set<string>()
  for (let row = 0; row < image.height; row += 2) {
    for (const text of readRow(runsOfRow(image, row))) found.add(text)
  }
  return [...found]
}

/** Lengths of light and dark stretches of a row of pixels, a light one first. */
function runsOfRow({ width, data }: PageImage, row: number): number[] {
  const runs = [0]
  let isDark = false
  for (let x = 0; x < width; x++) {
    const at = (row * width + x) * 4
    const light = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
    if (light < 128 !== isDark) {
      isDark = !isDark
      runs.push(0)
    }
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1
  }
  return runs
}

function readRow(runs: readonly number[]): string[] {
  const texts: string[] = []
  for (let at = 1; at + 6 < runs.length; at += 2) {
    const start = valueAt(runs, at)
    if (start === undefined || start < START_A || start === STOP) continue
    // The quiet zone before the symbol
    const module = modulesOf(runs.slice(at, at + 6)).module
    if ((runs[at - 1] ?? 0) < 9 * module) continue
    const text = readSymbol(runs, at)
    if (text !== null) texts.push(text)
  }
  return texts
}

function modulesOf(stretch: readonly number[], total = 11) {
  const length = stretch.reduce((sum, each) => sum + each, 0)
  const module = length / total
  return { module, pattern: stretch.map((each) => Math.round(each / module)).join('') }
}

function valueAt(runs: readonly number[], at: number): number | undefined {
  const stop = VALUES.get(modulesOf(runs.slice(at, at + 7), 13).pattern)
  return stop === STOP ? STOP : VALUES.get(modulesOf(runs.slice(at, at + 6)).pattern)
}

/** Reads from the start to the stop and proves the check value; null when it does not hold. */
function readSymbol(runs: readonly number[], start: number): string | null {
  const values: number[] = []
  for (let at = start; at + 6 <= runs.length; at += 6) {
    const value = valueAt(runs, at)
    if (value === undefined) return null
    if (value === STOP) return textOf(values)
    values.push(value)
  }
  return null
}

function textOf(all: readonly number[]): string | null {
  const [start = 0, ...values] = all.slice(0, -1)
  const sum = values.reduce((total, value, index) => total + value * (index + 1), start)
  if (sum % 103 !== all.at(-1)) return null
  let set = start
  let text = ''
  for (const value of values) {
    if (set === START_C && value < 100) text += String(value).padStart(2, '0')
    else if (value === 99) set = START_C
    else if (value === 100) set = START_B
    else if (value === 101) set = START_A
    else if (value < 96) text += String.fromCharCode(value + 32)
    else return null
  }
  return text
}
