import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { endOfId, Id } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { Comparison } from './comparison.tsx'
import { DecideAgainst, NewOrderFor, TakeBack } from './decide-result.tsx'
import { nameOfPatient } from './held-list.tsx'
import { heldQuery, operatorListQuery } from './matching-queries.ts'
import { ACTION, type HeldResult, STATUS } from './matching-words.ts'

interface HeldResultViewProps {
  id: string
  isOfOperator: boolean
}

/** Shows a held result beside the orders that it may belong to. */
export function HeldResultView({ id, isOfOperator }: HeldResultViewProps): ReactNode {
  return (
    <>
      <p className="matching-back">
        <Link to="." search={(old: object) => ({ ...old, result: undefined }) as never}>
          Back to the list
        </Link>
      </p>
      {isOfOperator ? <OfOperator id={id} /> : <OfTeam id={id} />}
    </>
  )
}

function OfTeam({ id }: { id: string }): ReactNode {
  const { data, error, refetch } = useQuery(heldQuery(useEnvironment(), id))
  if (data !== undefined) return <HeldResultPage result={data} />
  if (error === null) return <Waiting label="Loading the result" lines={8} />
  return error instanceof ApiError && error.status === 404 ? (
    <EmptyState title="The result was not found.">
      It may have matched an order since, be with the operator, or belong to another environment.
    </EmptyState>
  ) : (
    <Failure error={error} onRetry={() => refetch()} />
  )
}

/** Loads the result from the operator's list, because the team may not read it. */
function OfOperator({ id }: { id: string }): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(operatorListQuery(useEnvironment()))
  const found = data?.pages.flatMap((page) => page.data).find((each) => each.id === id)
  if (found !== undefined) return <HeldResultPage result={found} />
  if (error !== null) return <Failure error={error} onRetry={() => refetch()} />
  return data === undefined ? (
    <Waiting label="Loading the result" lines={8} />
  ) : (
    <EmptyState title="The result is no longer with the operator." />
  )
}

function HeldResultPage({ result }: { result: HeldResult }): ReactNode {
  const { label, tone } = STATUS[result.status]
  const mayAccept = result.allowed_actions.includes('accept')
  return (
    <>
      <Section
        title={nameOfPatient(result) || 'No patient name'}
        description={result.reason}
        actions={<StatusBadge tone={tone}>{label}</StatusBadge>}
      >
        <ReportFacts result={result} />
        <DecisionFacts result={result} />
        <TakeBack result={result} />
      </Section>
      {result.status !== 'resolved' && result.status !== 'matched' && (
        <Section
          title="Candidate orders"
          description="The reported result beside each order that it may belong to."
          actions={
            result.allowed_actions.length > 0 && (
              <Allowed to="results:write">
                <DecideAgainst result={result} />
              </Allowed>
            )
          }
        >
          <Comparison result={result} />
          {mayAccept && <NewOrderFor result={result} />}
        </Section>
      )}
    </>
  )
}

function ReportFacts({ result }: { result: HeldResult }): ReactNode {
  const { lab, collected_at: collectedAt, result_status: status } = result
  const tests = useTestNames(result)
  return (
    <dl className="matching-facts">
      <div>
        <dt>Laboratory</dt>
        <dd>{lab.name}</dd>
      </div>
      <div>
        <dt>Received</dt>
        <dd>
          <Instant at={result.created_at} />
        </dd>
      </div>
      <div>
        <dt>Collected</dt>
        <dd>
          <Instant at={collectedAt} otherwise="not reported" />
        </dd>
      </div>
      <div>
        <dt>Specimen</dt>
        <dd>{result.specimen_number ?? <span className="quiet">not reported</span>}</dd>
      </div>
      <div>
        <dt>Report</dt>
        <dd>
          {status === 'partial' ? 'Partial' : 'Final'}
          {result.interpretation !== null && `, ${result.interpretation}`}
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <Id value={result.id} of="the result" isShort />
        </dd>
      </div>
      <div className="matching-wide">
        <dt>Reported tests</dt>
        <dd>{tests.join(', ') || <span className="quiet">none</span>}</dd>
      </div>
    </dl>
  )
}

/** Laboratories often report only codes of ordered tests; the catalog knows their names. */
function useTestNames({ lab, markers }: HeldResult): string[] {
  const { team, key } = useEnvironment()
  const found = useQueries({
    queries: markers.map(({ name, provider_id: code }) => ({
      queryKey: [...key, 'marker', lab.id, code],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrapResponse(
          team.GET('/v3/lab_tests/{lab_id}/markers/{provider_id}', {
            params: { path: { lab_id: lab.id, provider_id: code ?? '' } },
            signal,
          }),
        ),
      enabled: name === null && code !== null,
      staleTime: 600_000,
    })),
  })
  return markers.flatMap(({ name, provider_id: code }, index) => {
    const shown = name ?? found[index]?.data?.name ?? code
    return shown === null ? [] : [shown]
  })
}

/** Shows the outcome of a decision, and its note. */
function DecisionFacts({ result }: { result: HeldResult }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { resolution_action: action, resolved_order_id: order, note } = result
  if (action === null && note === null) return null
  return (
    <div className="matching-decision">
      {action !== null && (
        <p>
          {ACTION[action]} <Instant at={result.reviewed_at} />
          {order !== null && (
            <>
              {' '}
              for{' '}
              <Link to="/$team/$env/orders/$order" params={{ team, env, order }}>
                order {endOfId(order)}
              </Link>
            </>
          )}
        </p>
      )}
      {note !== null && <blockquote>{note}</blockquote>}
    </div>
  )
}
