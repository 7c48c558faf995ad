import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useContext } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatDayOf, Instant, ShownZone } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { historyQuery, providersQuery, resourcesQuery } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import {
  type CoverageRow,
  describePull,
  HISTORY_STATES,
  spanOf,
  type TimeSpan,
  ticksOf,
  toCoverage,
} from './coverage-rows.ts'
import './coverage.css'

/**
 * Shows the stored range of each resource of each provider on one axis of time, and the outcome of
 * its last sync.
 */
export function Coverage({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: resources } = useSuspenseQuery(resourcesQuery(environment, userId))
  const { data: history } = useSuspenseQuery(historyQuery(environment, userId))
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const groups = toCoverage(resources, history)
  const span = spanOf(groups.flatMap(({ rows }) => rows))
  return (
    <Section
      id="coverage"
      title="Coverage"
      description="The range of stored data of each kind. Stripes mark data that were requested and are pending or failed."
    >
      {groups.length === 0 ? (
        <EmptyState title="No data yet.">
          Data appear here with the first sync of a connection.
        </EmptyState>
      ) : (
        <section
          className="coverage-scroll"
          aria-label="Coverage by kind of data"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard
          tabIndex={0}
        >
          <table className="coverage">
            <thead>
              <tr>
                <th scope="col">Kind of data</th>
                <th scope="col" className="coverage-axis">
                  {span === undefined ? 'Time' : <Axis span={span} />}
                </th>
                <th scope="col">Newest</th>
                <th scope="col">Last sync</th>
              </tr>
            </thead>
            {groups.map(({ slug, rows, missing }) => (
              <tbody key={slug}>
                <tr className="coverage-provider">
                  <th colSpan={4} scope="rowgroup">
                    {providers.get(slug)?.name ?? slug}
                  </th>
                </tr>
                {rows.map((row) => (
                  <Row key={row.resource} row={row} span={span} />
                ))}
                {missing.length > 0 && (
                  <tr>
                    <td colSpan={4}>
                      <details className="quiet">
                        <summary>
                          {missing.length} {missing.length === 1 ? 'kind' : 'kinds'} no data
                        </summary>
                        {missing.map(resourceTitle).join(', ')}
                      </details>
                    </td>
                  </tr>
                )}
              </tbody>
            ))}
          </table>
        </section>
      )}
    </Section>
  )
}

const percent = ({ from, to }: TimeSpan, at: number): string =>
  `${((at - from) / (to - from)) * 100}%`

function Axis({ span }: { span: TimeSpan }): ReactNode {
  const zone = useContext(ShownZone)
  return (
    <>
      <span className="coverage-title">Time</span>
      {ticksOf(span, zone).map(({ at, label }) => (
        <span key={at} className="coverage-tick" style={{ left: percent(span, at) }}>
          {label}
        </span>
      ))}
    </>
  )
}

function Row({ row, span }: { row: CoverageRow; span: TimeSpan | undefined }): ReactNode {
  const { resource, held, pull, attempt } = row
  const zone = useContext(ShownZone)
  const day = (at: number): string => formatDayOf(new Date(at), zone)
  const pullText = pull === undefined ? undefined : describePull(pull)
  return (
    <tr>
      <th scope="row">{resourceTitle(resource)}</th>
      <td>
        {span !== undefined && (
          <div className="coverage-bar">
            {ticksOf(span).map(({ at }) => (
              <i key={at} className="coverage-line" style={{ left: percent(span, at) }} />
            ))}
            {pull?.span !== undefined && (
              <i
                className="coverage-asked"
                data-status={pull.status}
                title={pullText}
                style={{ left: percent(span, pull.span.from), right: toEnd(span, pull.span.to) }}
              />
            )}
            {held !== undefined && (
              <i
                className="coverage-held"
                title={`Held from ${day(held.from)} to ${day(held.to)}`}
                style={{ left: percent(span, held.from), right: toEnd(span, held.to) }}
              />
            )}
          </div>
        )}
        {pull !== undefined && pull.status !== 'success' && (
          <StatusBadge tone={HISTORY_STATES[pull.status].tone}>{pullText}</StatusBadge>
        )}
      </td>
      <td>{held === undefined ? <span className="quiet">none</span> : <Newest at={held.to} />}</td>
      <td>
        {attempt === null ? (
          <span className="quiet">none</span>
        ) : (
          <Fragment>
            <Instant at={attempt.timestamp} isRelative />
            {attempt.status === 'failure' && <StatusBadge tone="bad">failed</StatusBadge>}
          </Fragment>
        )}
      </td>
    </tr>
  )
}

const toEnd = ({ from, to }: TimeSpan, at: number): string => `${((to - at) / (to - from)) * 100}%`

function Newest({ at }: { at: number }): ReactNode {
  return <Instant at={new Date(at).toISOString()} isRelative />
}
