import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { listOrderStatuses } from '../../components/order-statuses.registry.ts'
import { describeMethod, describeOrderStatus } from '../../components/order-words.ts'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'

type Order = components['schemas']['Order']

const openOrdersQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'orders', 'open'],
    queryFn: async ({ signal }) => {
      const query = {
        status: listOrderStatuses(({ isOpen }) => isOpen === true),
        page: 1,
        size: 50,
      }
      return (await unwrapResponse(team.GET('/v3/orders', { params: { query }, signal }))).orders
    },
    refetchInterval: 10_000,
  })

/** Lists orders that have not ended, each with a button that simulates its results. */
export function OpenOrders(): ReactNode {
  const environment = useEnvironment()
  const { teamId, env } = environment
  const { data, error, refetch } = useQuery(openOrdersQuery(environment))
  const columns: readonly Column<Order>[] = [
    {
      key: 'order',
      title: 'Order',
      width: 'minmax(0, 2fr)',
      render: (order) => (
        <Link to="/$team/$env/orders/$order" params={{ team: teamId, env, order: order.id }}>
          {order.lab_test.name}
        </Link>
      ),
    },
    { key: 'method', title: 'Collection', render: ({ details }) => describeMethod(details.type) },
    {
      key: 'status',
      title: 'Status',
      width: 'minmax(0, 1.4fr)',
      render: ({ last_event: event }) => {
        const { label, tone } = describeOrderStatus(event.status)
        return (
          <StatusBadge tone={tone}>
            <span className="wraps">{label}</span>
          </StatusBadge>
        )
      },
    },
    {
      key: 'finish',
      title: 'Simulate',
      width: '10rem',
      render: (order) => <FinishButton orderId={order.id} />,
    },
  ]
  return (
    <Section
      title="Open orders"
      description="The page of an order simulates any other course: a lost parcel, an unusable sample, a critical result."
    >
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label="Open orders"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              title="No open orders."
              action={
                <Link to="/$team/$env/orders/new" params={{ team: teamId, env }}>
                  New order
                </Link>
              }
            >
              Create one to follow it to its results.
            </EmptyState>
          }
        />
      )}
    </Section>
  )
}

function FinishButton({ orderId }: { orderId: string }): ReactNode {
  const { team, key } = useEnvironment()
  const client = useQueryClient()
  const finish = useMutation({
    mutationFn: () => {
      const params = { path: { order_id: orderId } }
      return unwrapResponse(team.POST('/v3/order/{order_id}/test', { params, body: {} }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [...key, 'orders'] }),
  })
  return (
    <>
      <Button
        variant="outline"
        size="compact-sm"
        loading={finish.isPending}
        onClick={() => finish.mutate()}
      >
        Simulate results
      </Button>
      {finish.error && <Failure error={finish.error} />}
    </>
  )
}
