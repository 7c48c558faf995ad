import { readFileSync } from 'node:fs'
import type { PageText, Word } from '../src/pages/page.ts'
import { readResults } from '../src/regions/read-results.ts'

// Layouts of laboratories of many countries in a monospaced font. A file has the page, a line of
// `====`, and its results as `name | value | unit | range | flag`. Reports and values are invented.
export const letterWidth = 6
export const lineHeight = 13

/** Returns the words of lines in a monospaced font. */
export function readWords(lines: readonly string[], scale = 1): Word[] {
  return lines.flatMap((line, at) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x: (30 + match.index * letterWidth) * scale,
        y: (40 + at * lineHeight) * scale,
        width: (match[0].length * letterWidth + 3) * scale,
        height: 10 * scale,
      },
      confidence: 1,
      fontSize: 10 * scale,
      isBold: false,
      color: null,
    })),
  )
}

export function makePage(words: Word[], source: PageText['source'] = 'text_layer'): PageText {
  const width = Math.max(...words.map((word) => word.box.x + word.box.width)) + 30
  const height = Math.max(...words.map((word) => word.box.y)) + 60
  const sourceSize = { width, height }
  return { number: 1, width, height, source, words, toSource: null, sourceSize }
}

/** A page as lines, and its results. */
export function readLayout(folder: URL, name: string): { lines: string[]; truth: string[] } {
  const [page = '', truth = ''] = readFileSync(new URL(name, folder), 'utf8').split(/^====\n/m)
  const cells = (line: string): string =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .join('|')
  return { lines: page.split('\n'), truth: truth.split('\n').filter(Boolean).map(cells) }
}

/** Returns the results that are read from a page, in the notation of the files. */
export function printRows(page: PageText): string[] {
  return readResults([page]).rows.map((row) =>
    [row.name, row.value, row.unit, row.range, row.flag]
      .map((field) => field?.text ?? '')
      .join('|'),
  )
}

export const padRow = (row: string): string =>
  [...row.split('|'), '', '', '', '', ''].slice(0, 5).join('|')
