import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { SavedViews } from '../../components/list/saved-views.tsx'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { EventFilters } from './event-filters.tsx'
import { EventTable } from './event-table.tsx'
import { eventFiltersOf, eventViewOf, NO_EVENT_FILTERS } from './event-view.ts'
import { LiveEvents } from './live-events.tsx'
import { MissingEvent } from './missing-event.tsx'
import '../webhooks.css'

const TABS = [
  { key: 'list', title: 'All events' },
  { key: 'live', title: 'Live' },
  { key: 'why', title: 'Missing event' },
]

/** The events of an environment: the list, the live stream, and explanations of missing events. */
export function EventsPage(): ReactNode {
  const [{ tab }] = useViewState({ tab: 'list' })
  return (
    <Page
      title="Events"
      description="All events, including those without a delivery. They are kept for 90 days by default."
    >
      <Tabs label="Events" tabs={TABS} chosen={tab} />
      {tab === 'list' && <AllEvents />}
      {tab === 'live' && <LiveEvents />}
      {tab === 'why' && <MissingEvent />}
    </Page>
  )
}

function AllEvents(): ReactNode {
  const { teamId, env } = useEnvironment()
  const [{ view: viewId, ...view }, change] = useViewState({ ...NO_EVENT_FILTERS, view: '' })
  const { type, user, ...others } = view
  const isNarrow = Object.values(view).some((value) => value !== '')
  return (
    <>
      <SavedViews
        list="events"
        allTitle="All events"
        filters={eventFiltersOf(view)}
        viewId={viewId || undefined}
        hasSearch={false}
        onOpen={(next, id) => change({ ...eventViewOf(next), view: id ?? '' }, { push: true })}
      />
      <EventFilters view={view} onChange={change} />
      <EventTable
        filter={{ ...others, event_type: type, user_id: user }}
        empty={
          isNarrow ? (
            <EmptyState title="No events match.">
              Clear a filter. If you expected an event,{' '}
              <Link
                to="/$team/$env/events"
                params={{ team: teamId, env }}
                search={{ tab: 'why', user: user || undefined, type: type || undefined } as never}
              >
                find out why it is missing
              </Link>
              .
            </EmptyState>
          ) : (
            <EmptyState title="No events yet.">
              Events appear when people connect, data arrive or orders change.
            </EmptyState>
          )
        }
      />
    </>
  )
}
