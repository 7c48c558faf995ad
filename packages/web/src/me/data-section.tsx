import type { ReactNode } from 'react'
import { DayChart } from './day-chart.tsx'
import { type Translate, useTexts } from './language.ts'
import type { Data, Kind, Series } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { Loading, Problem, SectionTitle } from './parts.tsx'
import { useLoad } from './use-load.ts'

const KINDS = ['activity', 'sleep', 'heart', 'body', 'glucose'] as const satisfies readonly Kind[]

const NAMES = [
  'steps',
  'distance',
  'calories_active',
  'sleep',
  'heartrate',
  'hrv',
  'blood_oxygen',
  'blood_pressure',
  'respiratory_rate',
  'body_weight',
  'body_fat',
  'body_temperature',
  'glucose',
] as const
type Name = (typeof NAMES)[number]

const isKnown = (resource: string): resource is Name => NAMES.some((name) => name === resource)

/** Tiles of today and the last 30 days. */
export function DataSection(): ReactNode {
  const { t } = useTexts()
  const { client, access } = useMe()
  const { data, error, reload } = useLoad(client.getData)
  const isShare = access.share !== null
  return (
    <>
      <SectionTitle>{isShare ? t('data_title_shared') : t('data_title')}</SectionTitle>
      <Problem error={error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading />}
      {data?.series.length === 0 && (
        <>
          <p>{t('data_none')}</p>
          {!isShare && <p className="me-quiet">{t('data_none_hint')}</p>}
        </>
      )}
      {data !== undefined && KINDS.map((kind) => <KindPart key={kind} kind={kind} data={data} />)}
    </>
  )
}

function KindPart({ kind, data }: { kind: (typeof KINDS)[number]; data: Data }): ReactNode {
  const { t } = useTexts()
  const series = data.series.filter((one) => one.kind === kind && isKnown(one.resource))
  if (series.length === 0) return null
  return (
    <section aria-labelledby={`kind-${kind}`}>
      <h2 id={`kind-${kind}`}>{t(`kind_${kind}`)}</h2>
      <div className="me-tiles">
        {series.map((one) => (
          <Tile key={one.resource} series={one} days={data.days} />
        ))}
      </div>
    </section>
  )
}

/** Returns the function that writes a value of a series as people say it. */
function useValues({ resource, unit }: Series): (value: number, diastolic?: number) => string {
  const { t } = useTexts()
  const { number } = useFormats()
  return (value, diastolic) => writeValue({ t, number, resource, unit }, value, diastolic)
}

interface Writing {
  t: Translate
  number: (value: number, digits?: number) => string
  resource: string
  unit: string
}

function writeValue(
  { t, number, resource, unit }: Writing,
  value: number,
  diastolic: number | undefined,
): string {
  switch (resource) {
    case 'steps':
      return number(value)
    case 'distance':
      return `${number(value / 1000, 1)} km`
    case 'sleep': {
      const minutes = Math.round(value * 60)
      const hours = Math.floor(minutes / 60)
      return t('unit_hours', { hours: number(hours), minutes: number(minutes % 60) })
    }
    case 'heartrate':
      return t('unit_bpm', { value: number(value) })
    case 'respiratory_rate':
      return t('unit_breaths', { value: number(value, 1) })
    case 'hrv':
      return `${number(value)} ms`
    case 'blood_pressure':
      return diastolic === undefined
        ? `${number(value)} ${unit}`
        : `${number(value)}/${number(diastolic)} ${unit}`
    case 'calories_active':
      return `${number(value)} ${unit}`
    default:
      return `${number(value, 1)} ${unit}`
  }
}

function Tile({ series, days }: { series: Series; days: readonly string[] }): ReactNode {
  const { t } = useTexts()
  const formats = useFormats()
  const write = useValues(series)
  const { values, diastolic, sources } = series
  const name = series.resource as Name
  const last = values.findLastIndex((value) => value !== null)
  const known = values.filter((value) => value !== null)
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const lows = diastolic?.filter((value) => value !== null) ?? []
  const meanLow =
    lows.length === 0 ? undefined : lows.reduce((sum, value) => sum + value, 0) / lows.length
  const when =
    last === days.length - 1
      ? t('data_today')
      : last === days.length - 2
        ? t('data_yesterday')
        : `${t('data_last')}, ${formats.day(days[last] ?? '')}`
  const title = t(`series_${name}`)
  const writeAt = (index: number): string | null => {
    const value = values[index]
    if (value === null || value === undefined) return null
    return write(value, diastolic?.[index] ?? undefined)
  }
  return (
    <article className="me-tile">
      <h3>{title}</h3>
      <p className="me-tile-value">
        <strong>{writeAt(last)}</strong> <span className="me-quiet">{when}</span>
      </p>
      <DayChart
        label={t('data_chart', { name: title })}
        values={values}
        isFromZero={series.of === 'sum'}
      />
      <p className="me-quiet">
        {t('data_average', { value: write(mean, meanLow) })},{' '}
        {t('data_days', { count: String(known.length) })}
      </p>
      <p>{t(`series_${name}_what`)}</p>
      <details>
        <summary>{t('data_table')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('data_day')}</th>
              <th scope="col">{t('data_value')}</th>
            </tr>
          </thead>
          <tbody>
            {days
              .map((day, index) => [day, writeAt(index)] as const)
              .filter(([, value]) => value !== null)
              .toReversed()
              .map(([day, value]) => (
                <tr key={day}>
                  <th scope="row">{formats.day(day)}</th>
                  <td>{value}</td>
                </tr>
              ))}
          </tbody>
        </table>
        {sources.length > 0 && (
          <p className="me-quiet">{t('data_sources', { names: formats.list(sources) })}</p>
        )}
      </details>
    </article>
  )
}
