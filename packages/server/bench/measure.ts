import { cpus, totalmem } from 'node:os'

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Seconds that the work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** One line of the result table. */
export interface Row {
  job: string
  salus: string
  comparedWith: string
  other: string
  ratio: string
  goal: string
  isMet: boolean | null
}

/** Prints what the figures were measured on. */
export function printMachine(): void {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  console.log(
    `\n${cpus().length} × ${cpu?.model.trim()}, ${memory} GB, Node.js ${process.version}\n`,
  )
}

export function printTable(rows: readonly Row[]): void {
  const titles = ['job', 'Salus', 'compared with', 'other', 'ratio', 'goal', '']
  const lines = rows.map((row) => {
    const verdict = row.isMet === null ? '' : row.isMet ? 'met' : 'MISSED'
    return [row.job, row.salus, row.comparedWith, row.other, row.ratio, row.goal, verdict]
  })
  printColumns(titles, lines)
}

/** Prints a table of Markdown with columns as wide as their longest cell. */
export function printColumns(titles: string[], lines: readonly string[][]): void {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const print = (cells: string[]): void =>
    console.log(`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  print(titles)
  print(widths.map((width) => '-'.repeat(width)))
  for (const line of lines) print(line)
}

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')

export const times = (value: number): string => `${value.toFixed(2)}×`
