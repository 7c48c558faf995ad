import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { Instant, ShownZone } from '../../components/instant.tsx'
import { INTERPRETATIONS } from '../../components/interpretations.ts'
import { type BulkAction, BulkBar, runBatch } from '../../components/list/bulk-bar.tsx'
import { ExportButton } from '../../components/list/export-button.tsx'
import { SavedViews } from '../../components/list/saved-views.tsx'
import { useSelection } from '../../components/list/selection.tsx'
import { describeMethod, describeOrderStatus } from '../../components/order-words.ts'
import { Page } from '../../components/page.tsx'
import { STATE_ZONES } from '../../components/state-zones.generated.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useViewState } from '../../shell/view-state.ts'
import '../laboratories.css'
import { type NameSearch, NO_SEARCH, OrderFilterBar } from './order-filter-bar.tsx'
import {
  countFilters,
  NO_FILTERS,
  type OrderFilters,
  toFilters,
  toQuery,
  viewFromFilters,
} from './order-filters.ts'
import { SendKit } from './send-kit.tsx'

type Order = components['schemas']['Order']

const PAGE_SIZE = 50

const ordersQuery = ({ key, team }: Environment, filters: OrderFilters, search: NameSearch) =>
  infiniteQueryOptions({
    queryKey: [...key, 'orders', filters, search],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...termsOf(filters, search), page: pageParam, size: PAGE_SIZE }
      return unwrapResponse(team.GET('/v3/orders', { params: { query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

function termsOf(filters: OrderFilters, search: NameSearch) {
  const names = Object.entries(search).filter(([, text]) => text.trim() !== '')
  return {
    ...toQuery(filters),
    ...Object.fromEntries(names.map(([name, text]) => [name, text.trim()])),
  }
}

/** The list of all orders with its filters. */
export function OrdersPage(): ReactNode {
  const environment = useEnvironment()
  const [view, change] = useViewState(NO_FILTERS)
  const [search, setSearch] = useState<NameSearch>(NO_SEARCH)
  const [debounced] = useDebouncedValue(search, 250)
  const filters = toFilters(view)
  const hasSearch = Object.values(debounced).some((text) => text.trim() !== '')
  const orders = useInfiniteQuery(ordersQuery(environment, filters, debounced))
  const pages = orders.data?.pages
  const columns = useColumns()
  const rows = useMemo(() => pages?.flatMap((page) => page.orders), [pages])
  const selection = useSelection(useMemo(() => rows?.map(({ id }) => id) ?? [], [rows]))
  const clear = () => {
    change(NO_FILTERS)
    setSearch(NO_SEARCH)
  }
  return (
    <Page
      title="Orders"
      description="Laboratory orders and their progress."
      actions={
        <>
          <SendKit />
          <Allowed to="orders:write">
            <NewOrderButton />
          </Allowed>
        </>
      }
    >
      <SavedViews
        list="orders"
        allTitle="All orders"
        filters={filters}
        viewId={view.view}
        hasSearch={hasSearch}
        onOpen={(next, id) => change({ ...viewFromFilters(next), view: id }, { push: true })}
      />
      <OrderFilterBar
        view={view}
        onChange={change}
        search={search}
        onSearch={setSearch}
        onClear={clear}
      />
      <div className="list-tools">
        <p role="status">{describeCount(pages?.[0], hasSearch || countFilters(filters) > 0)}</p>
        <ExportButton
          permissions={['orders:write']}
          name="orders"
          request={() =>
            environment.team.GET('/v3/orders/export', {
              params: { query: termsOf(filters, debounced) },
              parseAs: 'blob',
            }) as never
          }
        />
      </div>
      {orders.error ? (
        <Failure error={orders.error} onRetry={orders.refetch} />
      ) : (
        <DataTable
          label="Orders"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<NoOrders isNarrowed={hasSearch || countFilters(filters) > 0} onClear={clear} />}
          more={orders}
          selection={selection}
          nameOfRow={(order) => `${namePatient(order)}, ${order.lab_test.name}`}
          sorting={{
            key: view.order_key ?? 'created_at',
            direction: view.order_direction === 'asc' ? 'asc' : 'desc',
            onSort: (order_key, order_direction) => change({ order_key, order_direction }),
          }}
        />
      )}
      <BulkBar
        selection={selection}
        noun={['order', 'orders']}
        nameOf={(id) => describeOrder(rows?.find((order) => order.id === id))}
        actions={cancelling(environment)}
        onDone={() => orders.refetch()}
      />
    </Page>
  )
}

const describeOrder = (order: Order | undefined): string =>
  order === undefined ? 'Order' : `${namePatient(order)}, ${order.lab_test.name}`

const cancelling = (environment: Environment): BulkAction[] => [
  {
    title: 'Cancel orders',
    permission: 'orders:write',
    question: (
      <p>
        Orders that are over, or whose specimen a laboratory has, cannot be cancelled. They stay as
        they are, and are listed with the reason.
      </p>
    ),
    run: runBatch(environment, 'cancelOrder'),
  },
]

function describeCount(
  page: { total: number; total_is_capped?: true } | undefined,
  isNarrowed: boolean,
): string {
  if (page === undefined) return ''
  const count = `${page.total_is_capped ? 'More than ' : ''}${page.total.toLocaleString('en')}`
  return `${count} ${page.total === 1 ? 'order' : 'orders'}${isNarrowed ? ' match' : ''}${
    isNarrowed && page.total === 1 ? 'es' : ''
  }`
}

function useColumns(): readonly Column<Order>[] {
  const { teamId, env } = useEnvironment()
  return [
    {
      key: 'patient',
      title: 'Patient',
      sortKey: 'patient_name',
      width: 'minmax(0, 1.3fr)',
      render: (order) => (
        <Link
          className="row-link"
          to="/$team/$env/orders/$order"
          params={{ team: teamId, env, order: order.id }}
        >
          {namePatient(order)}
        </Link>
      ),
    },
    {
      key: 'test',
      title: 'Test',
      width: 'minmax(0, 1.6fr)',
      render: ({ lab_test: { name } }) => name,
    },
    {
      key: 'method',
      title: 'Collection',
      render: ({ details }) => describeMethod(details.type),
    },
    {
      key: 'status',
      title: 'Status',
      sortKey: 'last_status',
      width: 'minmax(0, 1.6fr)',
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
      key: 'result',
      title: 'Result',
      width: '6.5rem',
      render: ({ interpretation }) => {
        if (interpretation === null) return <span className="quiet">–</span>
        const { label, tone } = INTERPRETATIONS[interpretation]
        return <StatusBadge tone={tone}>{label}</StatusBadge>
      },
    },
    {
      key: 'created',
      title: 'Ordered',
      sortKey: 'created_at',
      firstDirection: 'desc',
      width: '9rem',
      render: ({ created_at: at, patient_address: address }) => (
        <ShownZone value={STATE_ZONES[address?.state ?? '']}>
          <Instant at={at} isRelative />
        </ShownZone>
      ),
    },
  ]
}

/** A kit has no patient until it is registered. */
function namePatient({ patient_details: patient, shipping_details: shipping }: Order): string {
  const name = [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')
  if (name !== '') return name
  return shipping ? `Kit for ${shipping.receiver_name}` : 'No patient yet'
}

function NewOrderButton(): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link to="/$team/$env/orders/new" params={{ team: teamId, env }} {...props} />
      )}
    >
      New order
    </Button>
  )
}

function NoOrders({
  isNarrowed,
  onClear,
}: {
  isNarrowed: boolean
  onClear: () => void
}): ReactNode {
  if (!isNarrowed) {
    return (
      <Allowed to="orders:write">
        <EmptyState title="No orders yet." action={<NewOrderButton />}>
          In a sandbox Salus simulates the laboratory, so you can follow an order to its results.
        </EmptyState>
      </Allowed>
    )
  }
  return (
    <EmptyState
      title="No orders match."
      action={
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Clear a filter, or try fewer words.
    </EmptyState>
  )
}
