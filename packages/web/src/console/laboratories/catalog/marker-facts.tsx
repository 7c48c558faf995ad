import { Fragment, type ReactNode } from 'react'
import { humanizeName } from '../words.ts'
import { describeTurnaround, type MarkerComplete } from './catalog-queries.ts'

/** Shows what the laboratory reports for a marker, and its questions. */
export function MarkerFacts({ marker }: { marker: MarkerComplete }): ReactNode {
  const { aoe, expected_results: results } = marker
  const facts: [string, ReactNode][] = [
    ['Code of the laboratory', marker.provider_id && <code>{marker.provider_id}</code>],
    ['Kind', marker.type && humanizeName(marker.type)],
    ['Unit', marker.unit],
    ['Price', marker.price && marker.price !== 'N/A' ? `$${marker.price}` : null],
    ['Results in', describeTurnaround(marker.common_tat_days, marker.worst_case_tat_days)],
    ['Ordered by itself', marker.a_la_carte_enabled ? 'Yes' : 'Only as part of a test'],
    ['Id', <code key="id">{marker.id}</code>],
  ]
  return (
    <div className="stack marker-facts">
      <dl className="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
      {results.length > 0 && (
        <div>
          <h4 className="fact-title">Reported</h4>
          <ul className="plain-list">
            {results.map((result) => (
              <li key={result.id}>
                {result.name} {result.loinc && <code>LOINC {result.loinc.code}</code>}
                {!result.required && <span className="quiet"> sometimes</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {aoe && aoe.questions.length > 0 && (
        <div>
          <h4 className="fact-title">Questions at order entry</h4>
          <ul className="plain-list">
            {aoe.questions.map((question) => (
              <li key={question.id}>
                {question.value}
                <span className="quiet">
                  {question.required ? ' needed' : ' optional'}
                  {question.answers.length > 0 &&
                    `: ${question.answers.map(({ value }) => value).join(', ')}`}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
