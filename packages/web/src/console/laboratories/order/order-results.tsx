import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { DocumentButton } from '../../components/document-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { INTERPRETATIONS } from '../../components/interpretations.ts'
import { findOrderStatus } from '../../components/order-statuses.registry.ts'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { humanizeName } from '../words.ts'
import { type Order, stateOf } from './order-queries.ts'

type Results = components['schemas']['LabResultsRaw']
type Result = Results['results'][number]

const resultsQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'results', ...stateOf(order)],
    queryFn: async ({ signal }): Promise<Results | null> => {
      if (!order.events.some(({ status }) => findOrderStatus(status)?.hasResults)) return null
      const params = { path: { order_id: order.id } }
      const request = team.GET('/v3/order/{order_id}/result', { params, signal })
      const { response } = await request
      // There is none, for example, for an order that was completed elsewhere.
      return response.status === 404 ? null : unwrapResponse(request)
    },
  })

/** Shows the results of the laboratory, and the tests that it did not report. */
export function OrderResults({ order }: { order: Order }): ReactNode {
  const { data, error, refetch } = useQuery(resultsQuery(useEnvironment(), order))
  return (
    <Section title="Results" description={data && describeReport(data)}>
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Waiting label="Loading the results" />
      ) : data === null ? (
        <EmptyState title="No results yet.">
          They appear when the laboratory reports the first of them.
        </EmptyState>
      ) : (
        <>
          <ResultTable results={data} />
          <LaboratoryDocuments documents={data.documents} />
        </>
      )}
    </Section>
  )
}

/** What the laboratory sent beside the values: its report, images, texts. */
function LaboratoryDocuments({ documents }: { documents: Results['documents'] }): ReactNode {
  const { team } = useEnvironment()
  if (documents.length === 0) return null
  return (
    <>
      <h3 className="laboratory-documents">Documents of the laboratory</h3>
      <div className="document-buttons">
        {documents.map((document) => (
          <DocumentButton
            key={document.id}
            title={titleOf(document)}
            fileName={`${document.id}.${endingOf(document)}`}
            load={() => {
              const path = { order_id: document.order_id, document_id: document.id }
              return unwrapResponse(
                team.GET('/v3/order/{order_id}/result/document/{document_id}', {
                  params: { path },
                  parseAs: 'blob',
                }),
              )
            }}
          />
        ))}
      </div>
    </>
  )
}

type LaboratoryDocument = Results['documents'][number]

/** Endings that programs of a desk expect in place of the second part of the content type. */
const ENDINGS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  plain: 'txt',
  'octet-stream': 'bin',
}

function endingOf({ content_type: type }: LaboratoryDocument): string {
  const kind = type.split('/')[1] ?? 'bin'
  return ENDINGS[kind] ?? kind
}

function titleOf(document: LaboratoryDocument): string {
  const { name, panel, status } = document
  const about = [endingOf(document).toUpperCase(), panel !== name && panel]
  const standing = status === 'final' ? '' : ` (${status})`
  return `${[name, ...about].filter(Boolean).join(', ')}${standing}`
}

const describeReport = ({ metadata }: Results): string =>
  [
    metadata.status === 'partial' ? 'More results will follow.' : 'Complete.',
    metadata.laboratory && `Reported by ${metadata.laboratory}.`,
  ]
    .filter(Boolean)
    .join(' ')

function ResultTable({ results: { results, missing_results: missing } }: { results: Results }) {
  return (
    <>
      <table className="result-table">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Result</th>
            <th scope="col">Reference</th>
            <th scope="col">Interpretation</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <ResultRow key={`${result.slug}/${result.provider_id}`} result={result} />
          ))}
        </tbody>
      </table>
      {missing !== null && missing.length > 0 && (
        <div>
          <h3 className="fact-title">Not reported</h3>
          <ul className="related-orders">
            {missing.map(({ name, inferred_failure_type: type }) => (
              <li key={name}>
                {name}: {humanizeName(type)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function ResultRow({ result }: { result: Result }): ReactNode {
  const { label, tone } = INTERPRETATIONS[result.interpretation ?? 'unknown']
  return (
    <tr>
      <th scope="row">
        {result.name}
        {detailsOf(result).map((text) => (
          <span key={text} className="result-notes">
            {text}
          </span>
        ))}
        {result.notes && result.notes !== result.result && (
          <span className="result-notes">{result.notes}</span>
        )}
      </th>
      <td data-title="Result" className="result-value">
        {result.result} {result.unit}
      </td>
      <td data-title="Reference">{describeReference(result)}</td>
      <td data-title="Interpretation">
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </td>
    </tr>
  )
}

/** Returns what distinguishes a result from others with its name, and that it is preliminary. */
function detailsOf({ status, sub_id: subId, parent, panel }: Result): string[] {
  const isolate = subId ?? parent?.sub_id ?? null
  return [
    status === 'preliminary' && 'Preliminary',
    status === 'corrected' && 'Corrected',
    isolate !== null && `Isolate ${isolate}`,
    parent?.result && `After ${parent.name ?? 'result'}: ${parent.result}`,
    panel?.origin === 'added' && 'Added to the order',
  ].filter((text) => typeof text === 'string' && text !== '') as string[]
}

function describeReference({
  reference_range: text,
  min_range_value: low,
  max_range_value: high,
}: Result): string {
  if (text) return text
  if (low !== null && high !== null) return `${low} to ${high}`
  if (low !== null) return `from ${low}`
  return high === null ? '–' : `up to ${high}`
}
