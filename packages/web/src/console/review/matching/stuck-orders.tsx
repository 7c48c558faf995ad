import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { endOfId } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { describeOrderStatus } from '../../components/order-words.ts'

type StuckOrder = components['schemas']['StuckOrder']

const nameOf = ({ key }: Environment) => [...key, 'stuck orders'] as const

/** Lists orders that cannot continue by themselves. */
export function StuckOrders(): ReactNode {
  const environment = useEnvironment()
  const list = useInfiniteQuery({
    queryKey: nameOf(environment),
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/stuck_order', {
          params: {
            path: environment.path,
            query: { limit: 100, ...(pageParam && { next_cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  })
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(() => columnsOf(environment), [environment])
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  return (
    <DataTable
      label="Stuck orders"
      columns={columns}
      rows={rows}
      rowKey={({ order_id: id }) => id}
      more={list}
      empty={
        <EmptyState title="No stuck orders.">
          Orders appear here when they could not be sent to their laboratory, or when their person
          was deleted while the laboratory was working.
        </EmptyState>
      }
    />
  )
}

const columnsOf = ({ teamId: team, env }: Environment): Column<StuckOrder>[] => [
  {
    key: 'order',
    title: 'Order',
    width: '7rem',
    render: ({ order_id: order, reason }) =>
      reason === 'person_deleted' ? (
        <code>{endOfId(order)}</code>
      ) : (
        <Link to="/$team/$env/orders/$order" params={{ team, env, order }}>
          <code>{endOfId(order)}</code>
        </Link>
      ),
  },
  {
    key: 'problem',
    title: 'Error',
    width: 'minmax(0, 2fr)',
    render: ({ message, detail, reason }) => (
      <>
        {message}
        {detail !== null && <code> {detail}</code>}
        {reason === 'person_deleted' && (
          <span className="quiet"> Ask the laboratory to stop its work.</span>
        )}
      </>
    ),
  },
  { key: 'lab', title: 'Laboratory', render: ({ lab }) => lab },
  {
    key: 'status',
    title: 'Status',
    render: ({ low_level_status: status }) => describeOrderStatus(status).label,
  },
  {
    key: 'sample',
    title: 'Sample',
    render: ({ sample_id: sample }) => sample ?? <span className="quiet">none</span>,
  },
  { key: 'since', title: 'Since', render: ({ since }) => <Instant at={since} /> },
  {
    key: 'retry',
    title: 'Retry',
    width: '8rem',
    render: ({ order_id: id, reason }) => (
      <>
        {reason !== 'person_deleted' && <Act orderId={id} action="retry" label="Retry" />}
        {reason === 'cancel_at_lab' && <Act orderId={id} action="resolve" label="Resolve" />}
      </>
    ),
  },
]

/** Retries an order, or records that people cancelled it at its laboratory. */
function Act({
  orderId,
  action,
  label,
}: {
  orderId: string
  action: 'retry' | 'resolve'
  label: string
}): ReactNode {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST(`/v1/org/{org_id}/team/{team_id}/{env}/stuck_order/{order_id}/${action}`, {
          params: { path: { ...environment.path, order_id: orderId } },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: nameOf(environment) }),
  })
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={act.isPending}
        aria-label={`${label} order ${endOfId(orderId)}`}
        onClick={() => act.mutate()}
      >
        {label}
      </Button>
      {act.error !== null && <Failure error={act.error} />}
    </>
  )
}
