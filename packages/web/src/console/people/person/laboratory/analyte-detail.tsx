import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { Failure } from '../../../components/failure.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import {
  type Analyte,
  formatDay,
  formatInterval,
  formatNumber,
  formatUnit,
  interpretResult,
} from './analytes.ts'
import { type PersonResult, trendQuery } from './lab-queries.ts'
import { TrendChart } from './trend-chart.tsx'

type Trend = components['schemas']['ResultTrend']

/** Shows an analyte over time in one unit, and every result as it was reported. */
export function AnalyteDetail({
  analyte,
  userId,
}: {
  analyte: Analyte
  userId: string
}): ReactNode {
  const environment = useEnvironment()
  const { code } = analyte
  const { data, error, refetch } = useQuery({
    ...trendQuery(environment, userId, code ?? ''),
    enabled: code !== null,
  })
  return (
    <div className="analyte-detail">
      {code === null && (
        <p className="quiet">
          No laboratory reported a code for this analyte, so its results cannot be compared over
          names and units.
        </p>
      )}
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {code !== null && data === undefined && error === null && (
        <Waiting label="Loading the trend" lines={5} />
      )}
      {data !== undefined && <Course name={analyte.name} trend={data} />}
      <ResultTable analyte={analyte} trend={data} />
    </div>
  )
}

function Course({ name, trend }: { name: string; trend: Trend }): ReactNode {
  const { points, unit, left_out: leftOut, loinc_codes: codes } = trend
  return (
    <>
      {points.length > 0 && <TrendChart name={name} unit={unit} points={points} />}
      <p className="quiet">
        {points.length > 0 && (
          <>In {formatUnit(unit) || 'no unit'}; the reference interval is shaded. </>
        )}
        LOINC {codes.join(', ')}.
        {leftOut > 0 &&
          ` ${leftOut} ${leftOut === 1 ? 'result is' : 'results are'} not in the trend, without a day, a number, or a convertible unit.`}
      </p>
    </>
  )
}

function ResultTable({
  analyte,
  trend,
}: {
  analyte: Analyte
  trend: Trend | undefined
}): ReactNode {
  const { results } = analyte
  // A column for the unit of the trend is only useful where a result was reported in another.
  const unit = results.some((result) => result.ucum_unit !== (trend?.unit ?? null))
    ? trend?.unit
    : undefined
  return (
    <div className="analyte-table">
      <table>
        <caption className="visually-hidden">All results of {analyte.name}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">As reported</th>
            {unit && <th scope="col">In {formatUnit(unit)}</th>}
            <th scope="col">Interval</th>
            <th scope="col">Interpretation</th>
            <th scope="col">Origin</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report may hold the same result twice
            <tr key={index}>
              <td>{result.date === null ? 'unknown' : formatDay(result.date)}</td>
              <td>
                {result.value} {formatUnit(result.unit)}
              </td>
              {unit && <td>{convertedValue(result, trend)}</td>}
              <td>{formatInterval(result.min_range_value, result.max_range_value) ?? 'none'}</td>
              <td>
                <StatusBadge tone={interpretResult(result).tone}>
                  {interpretResult(result).label}
                </StatusBadge>
              </td>
              <td>
                <Source result={result} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the value of a result in the unit of the trend, if it is part of it. */
function convertedValue(result: PersonResult, trend: Trend | undefined): string {
  const point = trend?.points.find(
    (each) =>
      each.order_id === result.order_id &&
      each.parsing_job_id === result.parsing_job_id &&
      each.date === result.date &&
      each.original_value === result.value,
  )
  if (point === undefined) return 'not in the trend'
  return `${point.comparator ?? ''}${formatNumber(point.value)}`
}

function Source({ result }: { result: PersonResult }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { order_id: order, parsing_job_id: job } = result
  if (order !== null) {
    return (
      <Link to="/$team/$env/orders/$order" params={{ team, env, order }}>
        Order
      </Link>
    )
  }
  if (job === null) return null
  return (
    <Link to="/$team/$env/reports/$job" params={{ team, env, job }}>
      Report
    </Link>
  )
}
