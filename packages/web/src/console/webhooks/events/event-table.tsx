import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { PersonLink } from '../../components/list/person-link.tsx'
import { useSelection } from '../../components/list/selection.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { EventSummary } from '../webhook-queries.ts'
import { describeDelivery, describeEvent } from '../webhook-words.ts'
import { ResendBar } from './resend-bar.tsx'

/** Filters of the list; an empty text is none. */
export interface EventFilter {
  event_type?: string
  user_id?: string
  webhook_id?: string
  status?: string
  since?: string
  until?: string
}

/** Interval of reloading, in milliseconds. */
const REFRESH_MS = 15_000

function useEvents(filter: EventFilter) {
  const { key, path } = useEnvironment()
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
  return useInfiniteQuery({
    queryKey: [...key, 'events', query],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event', {
          params: { path, query: { ...query, ...(pageParam && { next_cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // Otherwise all loaded pages would be requested again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  })
}

function EventLink({ event }: { event: EventSummary }): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Link
      to="/$team/$env/events/$event"
      params={{ team: teamId, env, event: event.id }}
      className="row-link webhooks-type"
    >
      {event.event_type}
    </Link>
  )
}

/** @param webhookId The endpoint of the messages; without it the column covers all endpoints. */
function columnsOf(webhookId: string | undefined): Column<EventSummary>[] {
  const stateOf = (event: EventSummary): ReactNode => {
    const delivery = event.deliveries.find(({ webhook_id: id }) => id === webhookId)
    const { tone, text } = delivery ? describeDelivery(delivery) : describeEvent(event)
    return <StatusBadge tone={tone}>{text}</StatusBadge>
  }
  return [
    {
      key: 'type',
      title: 'Event',
      width: 'minmax(15rem, 2fr)',
      render: (event) => <EventLink event={event} />,
    },
    { key: 'state', title: 'Delivery', width: 'minmax(11rem, 1fr)', render: stateOf },
    {
      key: 'attempts',
      title: 'Attempts',
      width: '5rem',
      isNumeric: true,
      render: ({ deliveries }) =>
        deliveries
          .filter(({ webhook_id: id }) => webhookId === undefined || id === webhookId)
          .reduce((sum, { attempts }) => sum + attempts, 0),
    },
    {
      key: 'person',
      title: 'About',
      width: 'minmax(6rem, 1fr)',
      render: ({ user_id: userId }) => <PersonLink userId={userId} />,
    },
    {
      key: 'at',
      title: 'When',
      width: '9rem',
      render: ({ created_at: at }) => <Instant at={at} isRelative />,
    },
  ]
}

interface EventTableProps {
  filter: EventFilter
  webhookId?: string
  empty: ReactNode
}

/** Lists events with their deliveries, newest first. */
export function EventTable({ filter, webhookId, empty }: EventTableProps): ReactNode {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useEvents(filter)
  const columns = useMemo(() => columnsOf(webhookId), [webhookId])
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  const selection = useSelection(useMemo(() => rows?.map(({ id }) => id) ?? [], [rows]))
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />
  return (
    <>
      <DataTable
        label="Events"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        nameOfRow={({ event_type: type }) => type}
        empty={empty}
        more={{ hasNextPage, isFetchingNextPage, fetchNextPage }}
        selection={selection}
      />
      <ResendBar
        events={rows ?? []}
        selection={selection}
        webhookId={webhookId}
        onDone={() => refetch()}
      />
    </>
  )
}
