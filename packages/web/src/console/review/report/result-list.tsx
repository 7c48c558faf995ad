import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAlertTriangle, IconPlus } from '../../components/icons.tsx'
import { INTERPRETATIONS } from '../../components/interpretations.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { ReportRow, ResultChanges } from './draft.ts'
import type { ReportResult } from './report-query.ts'
import { formatInterval } from './report-words.ts'
import { ResultEditor } from './result-editor.tsx'

interface ResultListProps {
  rows: readonly ReportRow[]
  /** Intervals of rows as the report prints them. */
  printed: ReadonlyMap<string, string>
  /** Rows with uncertain values. */
  unsure: ReadonlySet<string>
  selected: string | null
  onPoint: (owner: string | null) => void
  /** Null closes the open row. */
  onSelect: (owner: string | null) => void
  /** Undefined where results cannot be changed. */
  onChange?: ((row: ReportRow, changes: ResultChanges | null) => void) | undefined
  onAdd: () => void
}

/** Lists the results in the order of the report, under its headings. */
export function ResultList({ rows, onAdd, ...list }: ResultListProps): ReactNode {
  const panels = groupByPanel(rows)
  return (
    <div className="report-results">
      {rows.length === 0 && (
        <EmptyState title="No results were found.">
          {list.onChange ? 'Add the results that the page shows.' : 'The report has no results.'}
        </EmptyState>
      )}
      {panels.map(({ key, title, rows: ofPanel }) => (
        <div key={key}>
          {title !== null && <h3 className="report-panel">{title}</h3>}
          <ul className="report-rows">
            {ofPanel.map((row) => (
              <ResultRow key={row.key} row={row} {...list} />
            ))}
          </ul>
        </div>
      ))}
      {list.onChange !== undefined && (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onAdd}
          className="report-add"
        >
          Add result
        </Button>
      )}
    </div>
  )
}

interface Panel {
  key: string
  title: string | null
  rows: ReportRow[]
}

function groupByPanel(rows: readonly ReportRow[]): Panel[] {
  const panels: Panel[] = []
  for (const row of rows) {
    const title = row.read === null ? 'Added' : row.read.source_panel_name
    const last = panels.at(-1)
    if (last?.title === title) last.rows.push(row)
    else panels.push({ key: row.key, title, rows: [row] })
  }
  return panels
}

interface ResultRowProps extends Omit<ResultListProps, 'rows' | 'onAdd'> {
  row: ReportRow
}

function ResultRow({
  row,
  printed,
  unsure,
  selected,
  onPoint,
  onSelect,
  onChange,
}: ResultRowProps): ReactNode {
  const isOpen = selected === row.key
  const bodyId = `row-${row.position}`
  return (
    <li
      className="report-row"
      data-open={isOpen || undefined}
      data-removed={row.isRemoved || undefined}
      onPointerEnter={() => onPoint(row.key)}
      onPointerLeave={() => onPoint(null)}
    >
      <button
        type="button"
        id={`${bodyId}-head`}
        className="report-row-head"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onFocus={() => onPoint(row.key)}
        onBlur={() => onPoint(null)}
        onClick={() => onSelect(isOpen ? null : row.key)}
      >
        <RowSummary row={row} printed={printed.get(row.key)} isUnsure={unsure.has(row.key)} />
      </button>
      <div id={bodyId} className="report-row-body" hidden={!isOpen}>
        {isOpen && <ResultEditor row={row} onChange={onChange} />}
      </div>
    </li>
  )
}

interface RowSummaryProps {
  row: ReportRow
  printed: string | undefined
  isUnsure: boolean
}

function RowSummary({ row, printed, isUnsure }: RowSummaryProps): ReactNode {
  const { read, changes, isRemoved } = row
  const now: ResultChanges = { ...read, ...changes }
  // The server interprets a corrected value again.
  const isJudged = read !== null && !('value' in changes) && !isRangeChanged(changes)
  const interpretation = changes.interpretation ?? (isJudged ? read.interpretation : null)
  return (
    <>
      <span className="report-row-name">
        <Corrected read={read?.test_name} now={now.test_name || 'New result'} />
        <RowSigns read={read} changes={changes} isRemoved={isRemoved} isUnsure={isUnsure} />
      </span>
      <span className="report-row-value">
        <Corrected read={read?.value} now={now.value ?? ''} />{' '}
        <span className="quiet">
          <Corrected read={read?.units ?? undefined} now={now.units ?? ''} />
        </span>
      </span>
      <span className="report-row-range quiet">
        {printed !== undefined && !isRangeChanged(changes)
          ? printed
          : formatInterval(now.min_reference_range, now.max_reference_range)}
      </span>
      <span className="report-row-judged">
        {interpretation != null && interpretation !== 'unknown' && (
          <StatusBadge tone={INTERPRETATIONS[interpretation].tone}>
            {INTERPRETATIONS[interpretation].label}
          </StatusBadge>
        )}
      </span>
    </>
  )
}

const isRangeChanged = (changes: ResultChanges): boolean =>
  'min_reference_range' in changes || 'max_reference_range' in changes

interface RowSignsProps {
  read: ReportResult | null
  changes: ResultChanges
  isRemoved: boolean
  isUnsure: boolean
}

function RowSigns({ read, changes, isRemoved, isUnsure }: RowSignsProps): ReactNode {
  const { loinc_match_status: status, loinc_matches: matches } = { ...read, ...changes }
  const [first] = matches ?? []
  return (
    <span className="report-row-signs">
      {isRemoved && <span>Not a result</span>}
      {read !== null && Object.keys(changes).length > 0 && <span>Corrected</span>}
      {isUnsure && !isRemoved && (
        <span data-unsure>
          <IconAlertTriangle size={13} aria-hidden /> Check
        </span>
      )}
      {status === 'auto_match' && first !== undefined && <code>{first.loinc_code}</code>}
    </span>
  )
}

function Corrected({ read, now }: { read: string | undefined; now: string }): ReactNode {
  if (read === undefined || read === now) return now
  return (
    <>
      <del>{read}</del> <ins>{now}</ins>
    </>
  )
}
