/** One column of a table of texts. */
export interface Column<Row> {
  title: string
  align?: 'left' | 'right'
  text: (row: Row) => string
}

const GAP = '  '

/**
 * Formats an aligned table: a line of titles, a rule, a line for each row, and a last rule with
 * totals when a footer is given. Lines have no space at their end.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  footer?: Row,
): string {
  const lines = [...rows, ...(footer === undefined ? [] : [footer])]
  const cells = lines.map((row) => columns.map((column) => column.text(row)))
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => line[index]?.length ?? 0)),
  )
  const layOut = (texts: readonly string[]): string =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0
        return columns[index]?.align === 'right' ? text.padStart(width) : text.padEnd(width)
      })
      .join(GAP)
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP)
  const body = cells.slice(0, rows.length).map(layOut)
  const end = footer === undefined ? [] : [rule, layOut(cells.at(-1) ?? [])]
  return [layOut(columns.map(({ title }) => title)), rule, ...body, ...end].join('\n')
}

/** Formats lines of a name and its value; those without a value are left out. */
export function formatFields(
  fields: readonly [name: string, value: string | null | undefined][],
): string {
  const known = fields.filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(...known.map(([name]) => name.length))
  return known.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`).join('\n')
}
