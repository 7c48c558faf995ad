import type { Cell, Cells, Role } from './cells.ts'
import type { CellRole } from './content.ts'
import type { ColumnPrior } from './parse-line.ts'
import type { Column, TableHeader } from './table-header.ts'

const noPrior: ColumnPrior = () => 0
const cellRoles: readonly CellRole[] = ['name', 'value', 'unit', 'range', 'flag']

/** What the titles of a table say about where its cells stand. */
export function createHeaderPrior(header: TableHeader | null, height: number): ColumnPrior {
  if (!header) return noPrior
  const { columns } = header
  const titled = new Set(columns.map((column) => column.role))
  return (role, left, right) => {
    const found = findColumn(header, left, right, height)
    if (!found) return 0
    const closeness = Math.max(0.15, 1 - found.distance / (height * 8))
    return scoreTitle(role, found.column.role, titled) * closeness
  }
}

/** Returns the column a stretch of a line belongs to, and how far it is from its title sideways. */
export function findColumn(
  header: TableHeader,
  left: number,
  right: number,
  height: number,
): { column: Column; distance: number } | undefined {
  let best: { column: Column; distance: number } | undefined
  for (const column of header.columns) {
    const overlap = Math.min(right, column.right) - Math.max(left, column.left)
    const aligned = Math.min(
      Math.abs(left - column.left),
      Math.abs(right - column.right),
      Math.abs((left + right - column.left - column.right) / 2),
    )
    const distance = overlap > 0 ? Math.min(aligned, height * 2) : aligned + height
    if (!best || distance < best.distance) best = { column, distance }
  }
  return best
}

function scoreTitle(role: Role, title: string, titled: ReadonlySet<string>): number {
  if (role === title) return 2
  if (role === 'other') return title === 'other' || title === 'previous' ? 0.8 : 0
  if (title === 'previous') return role === 'name' ? -1 : -3
  // A column without a title of its own shares that of its neighbour.
  if (role === 'flag') return titled.has('flag') ? -0.8 : 0
  if (role === 'unit') return titled.has('unit') ? -0.8 : 0
  if (role === 'range' && !titled.has('range')) return 0
  if (role === 'value' && !titled.has('value')) return title === 'name' ? -0.5 : 0
  return -2
}

/** What the other rows of a table say about where its cells stand. */
export function createRowPrior(rows: readonly Cells[], height: number): ColumnPrior {
  const spans = new Map<CellRole, Cell[]>()
  for (const role of cellRoles)
    spans.set(
      role,
      rows.flatMap((row) => row[role] ?? []),
    )
  const solid = rows.length
  if (solid < 3) return noPrior
  const tolerance = height * 0.9
  const isAligned = (cell: Cell, left: number, right: number): boolean => {
    const overlap = Math.min(right, cell.right) - Math.max(left, cell.left)
    if (overlap < Math.min(right - left, cell.right - cell.left) * 0.25) return false
    return (
      Math.abs(left - cell.left) < tolerance ||
      Math.abs(right - cell.right) < tolerance ||
      Math.abs(left + right - cell.left - cell.right) / 2 < tolerance
    )
  }
  return (role, left, right) => {
    if (role === 'other') return 0
    const own = spans.get(role) as Cell[]
    if (own.length < 3) return 0
    // Names begin at one place, or are indented, and end anywhere.
    if (role === 'name') {
      const starts = own.map((cell) => cell.left)
      if (starts.some((start) => Math.abs(left - start) < tolerance)) return 1
      return left > Math.max(...starts) + height * 3 ? -1 : 0
    }
    const aligned = own.filter((cell) => isAligned(cell, left, right)).length
    if (aligned >= Math.min(3, own.length * 0.5)) return 1
    if (role === 'flag' || role === 'unit') return 0
    return aligned === 0 ? -1 : 0
  }
}

/** Returns the sum of what several sources say. */
export function addPriors(...priors: readonly ColumnPrior[]): ColumnPrior {
  return (role, left, right) => priors.reduce((sum, prior) => sum + prior(role, left, right), 0)
}
