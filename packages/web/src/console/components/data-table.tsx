// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not there, which elements of tables cannot have
// biome-ignore-all lint/a11y/useFocusableInteractive: what can be pressed is within the cells
import { Loader } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Waiting } from './waiting.tsx'
import './data-table.css'

export interface Column<Row> {
  key: string
  title: string
  /** Renders the cell. The link of a row, if it has one, belongs into its first column. */
  render: (row: Row) => ReactNode
  /** A track of a CSS grid, such as `2fr` or `8rem`; `1fr` unless given. */
  width?: string
  isNumeric?: boolean
}

/** Further rows of the server, by an infinite query. */
export interface MoreRows {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

interface DataTableProps<Row> {
  /** Name of the table for screen readers; not shown. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Shown in place of a table without rows. */
  empty: ReactNode
  more?: MoreRows
}

const ROW_HEIGHT = 45
/** The next page is loaded this many rows before the end. */
const ROWS_AHEAD = 20

/**
 * A table of any length: only visible rows are in the page. Where there is little room every row is
 * a card, with the titles of the columns before the values.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, empty, more } = props
  const template = columns.map(({ width = 'minmax(0, 1fr)' }) => width).join(' ')
  if (rows === undefined) return <Waiting label={`Loading ${label.toLowerCase()}`} lines={6} />
  if (rows.length === 0 && more?.hasNextPage !== true) return empty
  return (
    <div className="data-table">
      <div
        role="table"
        aria-label={label}
        aria-rowcount={more?.hasNextPage ? -1 : rows.length + 1}
        style={{ '--columns': template } as React.CSSProperties}
      >
        <div role="row" className="data-table-row data-table-head" aria-rowindex={1}>
          {columns.map(({ key, title, isNumeric }) => (
            <span key={key} role="columnheader" data-numeric={isNumeric || undefined}>
              {title}
            </span>
          ))}
        </div>
        <Rows {...props} rows={rows} />
      </div>
      {more?.isFetchingNextPage && (
        <div className="data-table-more" role="status">
          <Loader size="sm" /> Loading more
        </div>
      )}
    </div>
  )
}

function Rows<Row>({
  columns,
  rows,
  rowKey,
  more,
}: DataTableProps<Row> & { rows: readonly Row[] }): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // Content above the table may come later, open and close.
  useLayoutEffect(() => {
    const measure = () =>
      setScrollMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin,
    getItemKey: (index) => rowKey(rows[index] as Row),
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more?.hasNextPage && !more.isFetchingNextPage && last >= rows.length - ROWS_AHEAD)
      more.fetchNextPage()
  }, [more, last, rows.length])
  return (
    <div
      ref={list}
      role="rowgroup"
      className="data-table-body"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {items.map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          role="row"
          aria-rowindex={index + 2}
          className="data-table-row"
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {columns.map(({ key: column, title, isNumeric, render }) => (
            <span key={column} role="cell" data-title={title} data-numeric={isNumeric || undefined}>
              {render(rows[index] as Row)}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
