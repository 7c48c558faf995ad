// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not there, which elements of tables cannot have
// biome-ignore-all lint/a11y/useFocusableInteractive: what can be pressed is within the cells
import { Loader } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconChevronDown } from './icons.tsx'
import { AllCheck, RowCheck, type Selection } from './list/selection.tsx'
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
  /** Name of the order by this column, where the server sorts by it. */
  sortKey?: string
  /** Direction of the first press on its title; `asc` unless given. */
  firstDirection?: Direction
}

type Direction = 'asc' | 'desc'

/** The order of the rows, by a column that has its key. */
export interface Sorting {
  key: string
  direction: Direction
  onSort: (key: string, direction: Direction) => void
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
  sorting?: Sorting
  /** Chosen rows, with checkboxes before them. */
  selection?: Selection
  /** Name of a row for its checkbox. */
  nameOfRow?: (row: Row) => string
}

const ROW_HEIGHT = 45
/** The next page is loaded this many rows before the end. */
const ROWS_AHEAD = 20

/**
 * A table of any length: only visible rows are in the page. Where there is little room every row is
 * a card, with the titles of the columns before the values.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, empty, more, sorting, selection } = props
  const widths = columns.map(({ width = 'minmax(0, 1fr)' }) => width)
  const template = (selection ? ['1.25rem', ...widths] : widths).join(' ')
  if (rows === undefined) return <Waiting label={`Loading ${label.toLowerCase()}`} lines={6} />
  if (rows.length === 0 && more?.hasNextPage !== true) return empty
  return (
    <div className="data-table" data-selectable={selection ? '' : undefined}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={more?.hasNextPage ? -1 : rows.length + 1}
        style={{ '--columns': template } as React.CSSProperties}
      >
        <div role="row" className="data-table-row data-table-head" aria-rowindex={1}>
          {selection && (
            <span role="columnheader">
              <AllCheck selection={selection} label={label} />
            </span>
          )}
          {columns.map((column) => (
            <ColumnHead key={column.key} column={column} sorting={sorting} />
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

function ColumnHead<Row>({
  column: { title, isNumeric, sortKey, firstDirection = 'asc' },
  sorting,
}: {
  column: Column<Row>
  sorting: Sorting | undefined
}): ReactNode {
  if (sorting === undefined || sortKey === undefined) {
    return (
      <span role="columnheader" data-numeric={isNumeric || undefined}>
        {title}
      </span>
    )
  }
  const isSorted = sorting.key === sortKey
  const opposite = sorting.direction === 'asc' ? 'desc' : 'asc'
  const words = sorting.direction === 'asc' ? 'ascending' : 'descending'
  return (
    <span
      role="columnheader"
      data-numeric={isNumeric || undefined}
      aria-sort={isSorted ? words : 'none'}
    >
      <button
        type="button"
        className="data-table-sort"
        data-direction={isSorted ? sorting.direction : undefined}
        onClick={() => sorting.onSort(sortKey, isSorted ? opposite : firstDirection)}
      >
        {title}
        <IconChevronDown size={14} aria-hidden />
      </button>
    </span>
  )
}

function Rows<Row>({
  columns,
  rows,
  rowKey,
  more,
  selection,
  nameOfRow,
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
          {selection && (
            <span role="cell" className="data-table-check">
              <RowCheck
                selection={selection}
                id={rowKey(rows[index] as Row)}
                name={nameOfRow?.(rows[index] as Row) ?? 'the row'}
              />
            </span>
          )}
          {columns.map(({ key: column, title, isNumeric, render }, place) => (
            <span
              key={column}
              role="cell"
              data-title={title}
              data-lead={place === 0 || undefined}
              data-numeric={isNumeric || undefined}
            >
              {render(rows[index] as Row)}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
