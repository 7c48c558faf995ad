import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { AnalyteDetail } from './analyte-detail.tsx'
import {
  type Analyte,
  formatDay,
  formatInterval,
  formatUnit,
  groupPanels,
  groupResults,
  interpretResult,
} from './analytes.ts'
import { type PersonResult, resultsQuery, trendQuery } from './lab-queries.ts'
import { Sparkline } from './trend-chart.tsx'
import { type ChartPoint, hasOneUnit } from './trend-scale.ts'
import './results.css'

const SHOWN = [
  { value: '', label: 'All analytes' },
  { value: 'flagged', label: 'Outside their interval' },
  { value: 'order', label: 'From orders' },
  { value: 'lab_report', label: 'From uploaded reports' },
]

/** Lists the lab results of a person by analyte, of orders and uploaded reports together. */
export function Results({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(resultsQuery(useEnvironment(), userId))
  const [{ results: shown }, change] = useViewState({ results: '' })
  // Search words stay out of the address.
  const [words, setWords] = useState('')
  const analytes = groupResults((data ?? []).filter((result) => isFrom(result, shown))).filter(
    (analyte) =>
      (shown !== 'flagged' || isFlagged(analyte.newest)) &&
      wordsOf(analyte).includes(words.trim().toLowerCase()),
  )
  return (
    <Section
      id="results"
      title="Results"
      description="The newest value of each analyte by panel, from orders and uploaded reports. Open one to see its trend."
      actions={
        <>
          <TextInput
            aria-label="Search analytes"
            placeholder="Search analytes"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <NativeSelect
            aria-label="Which analytes"
            data={SHOWN}
            value={shown}
            onChange={(event) => change({ results: event.currentTarget.value })}
          />
        </>
      }
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading results" lines={6} />}
      {data !== undefined && analytes.length === 0 && <NoResults hasAny={data.length > 0} />}
      {analytes.length > 0 && <AnalyteList analytes={analytes} userId={userId} />}
    </Section>
  )
}

/** Words that the search finds: names of the laboratories, of LOINC and of panels. */
const wordsOf = ({ results }: Analyte): string =>
  results
    .flatMap(({ name, loinc_component: component, panel }) => [name, component, panel])
    .join(' ')
    .toLowerCase()

const isFlagged = ({ interpretation }: PersonResult): boolean =>
  interpretation === 'abnormal' || interpretation === 'critical'

const isFrom = ({ source }: PersonResult, shown: string): boolean =>
  shown === '' || shown === 'flagged' || source === shown

function NoResults({ hasAny }: { hasAny: boolean }): ReactNode {
  if (hasAny)
    return (
      <EmptyState title="No analytes match.">Try other words, or choose another filter.</EmptyState>
    )
  return (
    <EmptyState title="No results yet.">
      They appear when an order is completed or a lab report is uploaded.
    </EmptyState>
  )
}

const NO_PANEL = 'Without a panel'

function AnalyteList({
  analytes,
  userId,
}: {
  analytes: readonly Analyte[]
  userId: string
}): ReactNode {
  const [{ analyte: opened }, change] = useViewState({ analyte: '' })
  return (
    <div className="panels">
      {groupPanels(analytes).map(({ name, analytes: ofPanel }) => (
        <section key={name ?? ''} aria-label={name ?? NO_PANEL}>
          <h3>{name ?? NO_PANEL}</h3>
          <ul className="analytes">
            {ofPanel.map((analyte) => (
              <AnalyteItem
                key={analyte.key}
                analyte={analyte}
                userId={userId}
                isOpenAtFirst={analyte.code !== null && analyte.code === opened}
                onToggle={(isOpen) => {
                  if (analyte.code === null) return
                  if (isOpen) change({ analyte: analyte.code })
                  else if (analyte.code === opened) change({ analyte: '' })
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface AnalyteItemProps {
  analyte: Analyte
  userId: string
  isOpenAtFirst: boolean
  onToggle: (isOpen: boolean) => void
}

function AnalyteItem({ analyte, userId, isOpenAtFirst, onToggle }: AnalyteItemProps): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { name, newest, results } = analyte
  const component = results.find((one) => one.loinc_component !== null)?.loinc_component ?? null
  const { label, tone } = interpretResult(newest)
  const interval = formatInterval(newest.min_range_value, newest.max_range_value)
  const points = usePoints(analyte, userId)
  return (
    <li>
      <details
        className="analyte"
        open={isOpen}
        onToggle={(event) => {
          // React fires the event for the initial state, too.
          if (event.currentTarget.open === isOpen) return
          setOpen(event.currentTarget.open)
          onToggle(event.currentTarget.open)
        }}
      >
        <summary>
          <span className="analyte-name">
            {name}
            {component !== null && component !== name && <small>{component}</small>}
          </span>
          <span className="analyte-value">
            <strong>{newest.value}</strong> {formatUnit(newest.unit)}
          </span>
          <span className="analyte-interval">{interval ?? 'no interval'}</span>
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <span className="analyte-course">
            {points.length > 1 && <Sparkline points={points} />}
          </span>
          <span className="analyte-when">
            {newest.date === null ? 'day unknown' : formatDay(newest.date)}
            {results.length > 1 && <span>{results.length} results</span>}
          </span>
        </summary>
        {isOpen && <AnalyteDetail analyte={analyte} userId={userId} />}
      </details>
    </li>
  )
}

/** Returns the values as points, oldest first. Only the server converts units. */
function usePoints({ code, results }: Analyte, userId: string): readonly ChartPoint[] {
  const isOneUnit = hasOneUnit(results)
  const { data } = useQuery({
    ...trendQuery(useEnvironment(), userId, code ?? ''),
    enabled: code !== null && !isOneUnit,
  })
  if (!isOneUnit) return data?.points ?? []
  return results
    .flatMap(({ date, number, ...result }) =>
      date === null || number === null ? [] : [{ ...result, date, value: number }],
    )
    .toReversed()
}
