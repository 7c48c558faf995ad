import type { ReactNode } from 'react'
import { type Translate, useTexts } from './language.ts'
import type { Panel } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { Loading, Problem, SectionTitle } from './parts.tsx'
import { useLoad } from './use-load.ts'

type Result = Panel['results'][number]

/** Laboratory results by panel, each with the range of the laboratory in plain words. */
export function ResultsSection(): ReactNode {
  const { t } = useTexts()
  const { client, access } = useMe()
  const { data, error, reload } = useLoad(client.listResults)
  const panels = data?.panels.toSorted(
    (a, b) => Number(b.id === access.order_id) - Number(a.id === access.order_id),
  )
  return (
    <>
      <SectionTitle>{t('results_title')}</SectionTitle>
      <Problem error={error} onRetry={reload} />
      {panels === undefined && error === undefined && <Loading />}
      {panels?.length === 0 && <p>{t('results_none')}</p>}
      {panels !== undefined && panels.length > 0 && <p className="me-quiet">{t('results_note')}</p>}
      {panels?.map((panel) => (
        <PanelPart key={panel.id} panel={panel} />
      ))}
    </>
  )
}

function PanelPart({ panel }: { panel: Panel }): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const formats = useFormats()
  return (
    <section className="me-card" aria-labelledby={`panel-${panel.id}`}>
      <h2 id={`panel-${panel.id}`}>{panel.name ?? t('results_report')}</h2>
      <p className="me-quiet">
        {panel.date === null ? t('results_no_date') : formats.day(panel.date)}
        {!panel.is_final && <> · {t('results_partial')}</>}
      </p>
      <ul className="me-results">
        {panel.results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a panel may name a result twice
          <ResultPart key={index} result={result} />
        ))}
      </ul>
      {panel.has_document && (
        <a className="me-link" href={client.urlOf(`result/${panel.id}/pdf`)} download>
          {t('results_pdf')}
        </a>
      )}
    </section>
  )
}

function ResultPart({ result }: { result: Result }): ReactNode {
  const { t } = useTexts()
  const { access } = useMe()
  const formats = useFormats()
  const range = rangeOf(result, t, (value) => formats.number(value, 6))
  const isOutside = result.position === 'above' || result.position === 'below'
  const isCritical = result.interpretation === 'critical'
  return (
    <li>
      <span className="me-result-name">{result.name}</span>
      <span className="me-result-value">
        {result.value} {result.unit}
      </span>
      <span className={isOutside || isCritical ? 'me-result-words me-outside' : 'me-result-words'}>
        {wordsOf(result, t)}
      </span>
      {range !== undefined && <span className="me-quiet">{t('results_range', { range })}</span>}
      {isCritical && (
        <span className="me-result-critical">
          {t('result_critical', { team: access.team.name })}
        </span>
      )}
    </li>
  )
}

/** The place in the range, or else what the laboratory said. */
function wordsOf({ position, interpretation }: Result, t: Translate): string {
  if (position !== null) return t(`result_${position}`)
  if (interpretation === 'normal') return t('result_normal')
  if (interpretation === 'abnormal' || interpretation === 'critical') return t('result_abnormal')
  return t('result_unknown')
}

function rangeOf(
  { min_range_value: min, max_range_value: max, unit }: Result,
  t: Translate,
  write: (value: number) => string,
): string | undefined {
  const withUnit = (text: string): string => (unit === null ? text : `${text} ${unit}`)
  if (min !== null && max !== null) {
    return withUnit(t('results_range_between', { min: write(min), max: write(max) }))
  }
  if (min !== null) return t('results_range_from', { min: withUnit(write(min)) })
  if (max !== null) return t('results_range_to', { max: withUnit(write(max)) })
  return undefined
}
