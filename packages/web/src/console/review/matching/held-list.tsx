import { Button, NativeSelect } from '@mantine/core'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useEnvironment } from '../../api/environment.ts'
import { useTeamSetting } from '../../api/team-settings.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { type HeldFilter, heldListQuery, operatorListQuery } from './matching-queries.ts'
import { ACTION, DECISION, type HeldResult } from './matching-words.ts'

const EMPTY: Record<HeldFilter['status'], string> = {
  pending_customer_review: 'No results to decide.',
  pending_ops_review: 'No results with the operator.',
  resolved: 'No decided results yet.',
}

interface HeldListProps {
  status: HeldFilter['status']
  onTry: () => void
}

/** Lists the held results of the team. */
export function HeldList({ status, onTry }: HeldListProps): ReactNode {
  const environment = useEnvironment()
  const [{ reason }, change] = useViewState({ reason: '' })
  const list = useInfiniteQuery(heldListQuery(environment, { status, reason }))
  const isOff = list.error instanceof ApiError && list.error.errorType === 'match_review_disabled'
  if (isOff) return <QueueOff />
  return (
    <>
      <NativeSelect
        className="matching-filter"
        label="Reason"
        value={reason}
        data={[
          { value: '', label: 'Any reason' },
          ...Object.entries(DECISION).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
      <ResultTable
        list={list}
        isDecided={status === 'resolved'}
        empty={
          <EmptyState
            title={reason === '' ? EMPTY[status] : 'No results are held for this reason.'}
            action={
              environment.env === 'sandbox' &&
              status === 'pending_customer_review' && (
                <Button variant="subtle" onClick={onTry}>
                  Simulate case
                </Button>
              )
            }
          >
            {status === 'pending_customer_review' &&
              'Results appear here when they match no order unambiguously.'}
          </EmptyState>
        }
      />
    </>
  )
}

/** Lists the results that the operator decides about, including those of teams without a queue. */
export function OperatorList(): ReactNode {
  const list = useInfiniteQuery(operatorListQuery(useEnvironment()))
  return (
    <ResultTable
      list={list}
      isDecided={false}
      empty={
        <EmptyState title="No results for the operator.">
          Results appear here when a team passes them on, or has no review queue.
        </EmptyState>
      }
    />
  )
}

function QueueOff(): ReactNode {
  const setting = useTeamSetting()
  return (
    <>
      <EmptyState
        title="The team has no review queue."
        action={
          <Button
            loading={setting.isPending}
            onClick={() => setting.mutate({ match_review_enabled: true })}
          >
            Enable review queue
          </Button>
        }
      >
        The operator decides about results that match no order unambiguously. With a queue the team
        decides itself, here or through the API.
      </EmptyState>
      {setting.error !== null && <Failure error={setting.error} />}
    </>
  )
}

interface ResultTableProps {
  list: UseInfiniteQueryResult<InfiniteData<{ data: HeldResult[] }>>
  isDecided: boolean
  empty: ReactNode
}

function ResultTable({ list, isDecided, empty }: ResultTableProps): ReactNode {
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  return (
    <DataTable
      label="Held results"
      columns={isDecided ? [...COLUMNS, DECIDED] : COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      more={list}
      empty={empty}
    />
  )
}

export const nameOfPatient = ({ patient }: HeldResult): string =>
  [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')

const COLUMNS: Column<HeldResult>[] = [
  {
    key: 'patient',
    title: 'Reported patient',
    width: 'minmax(0, 1.3fr)',
    render: (result) => (
      <Link
        to="."
        search={(old: object) => ({ ...old, result: result.id }) as never}
        className="row-link"
      >
        {nameOfPatient(result) || 'No patient name'}
      </Link>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    width: 'minmax(0, 1.8fr)',
    render: ({ decision_code: code }) => DECISION[code],
  },
  { key: 'lab', title: 'Laboratory', render: ({ lab }) => lab.name },
  {
    key: 'candidates',
    title: 'Matching orders',
    width: '8rem',
    isNumeric: true,
    render: ({ candidate_groups: groups }) =>
      groups.reduce((sum, { candidates }) => sum + candidates.length, 0),
  },
  {
    key: 'received',
    title: 'Received',
    width: '11.5rem',
    render: ({ created_at: at }) => <Instant at={at} />,
  },
]

const DECIDED: Column<HeldResult> = {
  key: 'decided',
  title: 'Decision',
  render: ({ resolution_action: action }) => (action === null ? '' : ACTION[action]),
}
