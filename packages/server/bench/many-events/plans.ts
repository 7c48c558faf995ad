import { median } from '../measure.ts'

/** A node of a plan, as `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)` prints it. */
interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

/** What one execution of a statement took. */
export interface Execution {
  sql: string
  ms: number
  /** Pages of 8 kB that were found in memory or read. */
  buffers: number
  /** Node of the plan that touched most of them by itself. */
  plan: string
  /** Rows that were read and left out. */
  removed: number
  /** Rows of tables that were read from their beginning to their end. */
  scanned: number
}

/** Printed only to the log of the server, of which the bench reads every line. */
export const LOG_PLANS = [
  `session_preload_libraries = 'auto_explain'`,
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_analyze = on',
  'auto_explain.log_buffers = on',
  'auto_explain.log_timing = off',
  'auto_explain.log_parameter_max_length = 0',
  `auto_explain.log_format = 'json'`,
]

const FIRST_LINE = /^LOG:\s+duration: ([\d.]+) ms {2}plan:/

/** Reads plans out of the lines that PostgreSQL logs. */
export class PlanLog {
  /** Lines of entries that two backends wrote at the same time. */
  unreadable = 0
  #executions: Execution[] = []
  #ms = 0
  #lines: string[] | undefined

  readonly add = (line: string): void => {
    const first = FIRST_LINE.exec(line)
    if (this.#lines !== undefined && (first !== null || !line.startsWith('\t'))) this.#end()
    if (first !== null) {
      this.#ms = Number(first[1])
      this.#lines = []
    } else this.#lines?.push(line)
  }

  /** Returns the executions since the last call. */
  take(): Execution[] {
    this.#end()
    return this.#executions.splice(0)
  }

  #end(): void {
    if (this.#lines === undefined) return
    try {
      const { 'Query Text': sql, Plan: plan } = JSON.parse(this.#lines.join('\n'))
      this.#executions.push(describe(sql, this.#ms, plan))
    } catch {
      this.unreadable += 1
    }
    this.#lines = undefined
  }
}

const buffersOf = (node: PlanNode): number =>
  (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)

function describe(sql: string, ms: number, root: PlanNode): Execution {
  let [removed, scanned, most, plan] = [0, 0, -1, '']
  const visit = (node: PlanNode): void => {
    const loops = node['Actual Loops'] ?? 1
    const left = node['Rows Removed by Filter'] ?? 0
    removed += loops * (left + (node['Rows Removed by Index Recheck'] ?? 0))
    if (node['Node Type'] === 'Seq Scan') scanned += loops * ((node['Actual Rows'] ?? 0) + left)
    const children = node.Plans ?? []
    const own = buffersOf(node) - children.reduce((sum, child) => sum + buffersOf(child), 0)
    if (own > most) [most, plan] = [own, nameOf(node)]
    for (const child of children) visit(child)
  }
  visit(root)
  const type = root['Node Type']
  const shown = plan.startsWith(type) ? plan : `${type} … ${plan}`
  return { sql, ms, buffers: buffersOf(root), plan: shown, removed, scanned }
}

const nameOf = (node: PlanNode): string =>
  [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ')

/** All executions of a statement, as medians. */
export interface StatementFigures extends Execution {
  name: string
  count: number
}

/** More than a page of 50 needs: each row, with a look-up or two in indexes four pages deep. */
const MOST_BUFFERS = 1_000
const MOST_SCANNED = 1_000

export const isFlagged = ({ buffers, scanned }: Execution): boolean =>
  buffers > MOST_BUFFERS || scanned > MOST_SCANNED

/** Figures by statement, those with most buffers first. */
export function groupByStatement(executions: readonly Execution[]): StatementFigures[] {
  return [...Map.groupBy(executions, ({ sql }) => sql)]
    .map(([sql, all]) => {
      const of = (read: (execution: Execution) => number): number => median(all.map(read))
      const worst = all.toSorted((one, other) => other.buffers - one.buffers)[0]
      return {
        ...{ sql, name: describeStatement(sql), count: all.length, plan: worst?.plan ?? '' },
        ...{ ms: of((each) => each.ms), buffers: of((each) => each.buffers) },
        ...{ removed: of((each) => each.removed), scanned: of((each) => each.scanned) },
      }
    })
    .toSorted((one, other) => other.buffers - one.buffers)
}

/** `select events, users`: what a statement does and to which tables. */
function describeStatement(sql: string): string {
  const text = sql.replace(/\s+/g, ' ').trim()
  const tables = [...text.matchAll(/\b(?:from|join|into|update|table)\s+"?([a-z_]+)"?/gi)]
    .map(([, name = '']) => name)
    .filter((name) => !['select', 'unnest', 'lateral', 'set', 'only', 'excluded'].includes(name))
  const verb = /\b(insert|update|delete)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'select'
  return `${verb} ${[...new Set(tables)].slice(0, 4).join(', ')}`
}
